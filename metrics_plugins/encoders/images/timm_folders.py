"""What a folder of timm says about its model: which architecture, which weights, how images are prepared for it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.images.pictures import PictureSettings
from metrics_plugins.encoders.weights import WEIGHTS, read_json, require_files

_CONFIG: Final = "config.json"
# timm's own, where a folder does not say.
_IMAGENET_MEAN: Final = (0.485, 0.456, 0.406)
_IMAGENET_DEVIATION: Final = (0.229, 0.224, 0.225)
# Where timm would look for weights; ours are those in the folder.
_SOURCES: Final = frozenset({"url", "file", "source", "state_dict", "hf_hub_id", "hf_hub_filename", "custom_load"})
# What folders from before version 0.9 say of the network in the same place as of its weights.
_OF_NETWORK: Final = frozenset({"architecture", "num_features", "global_pool", "labels", "model_args"})


def is_timm_folder(folder: Path) -> bool:
    """Tell whether the model in a folder is one of timm, which names its architecture in the singular."""
    path = folder / _CONFIG
    return path.is_file() and isinstance(read_json(path).get("architecture"), str)


@dataclass(frozen=True, slots=True)
class TimmFolder:
    """A model as `timm.models.save_for_hf` writes it, and as timm's models are published.

    Attributes:
        path: The folder.
        architecture: timm's name of it.
        pictures: How images become numbers, as timm prepares them for evaluation.
    """

    path: Path
    architecture: str
    pictures: PictureSettings

    @property
    def weights(self) -> Path:
        return self.path / WEIGHTS

    @property
    def files(self) -> tuple[Path, ...]:
        """What the vectors depend on."""
        return (self.path / _CONFIG, self.weights)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return what a folder says.

        Raises:
            MissingResource: A file is not there.
            MetricError: The configuration is damaged, or asks for another preparation than `PictureSettings` knows.
        """
        require_files(path, (_CONFIG, WEIGHTS), wanted_for=f"the encoder {path}")
        config = read_json(path / _CONFIG)
        return cls(
            path=path, architecture=str(config.get("architecture")), pictures=_read_pictures(config, path / _CONFIG)
        )

    def read_arguments(self) -> dict[str, Any]:
        """Return what `timm.create_model` is asked for besides the architecture, with the weights of this folder."""
        config = read_json(self.path / _CONFIG)
        prepared = {name: value for name, value in _get_source(config).items() if name not in _SOURCES | _OF_NETWORK}
        chosen = {name: config[name] for name in ("num_classes", "global_pool") if config.get(name) is not None}
        # Weights are read strictly only if the classifier is as large as timm believes it to be in the file.
        prepared |= {"num_classes": chosen["num_classes"]} if "num_classes" in chosen else {}
        # Last, whatever the folder says: without the weights beside it the numbers would be made up at random.
        weights = {"pretrained": True, "pretrained_cfg": prepared | {"file": str(self.weights)}}
        return {**chosen, **config.get("model_args", {}), **weights}


def _get_source(config: Mapping[str, Any]) -> Mapping[str, Any]:
    # Before version 0.9 timm wrote what is said of the weights beside the architecture.
    source = config.get("pretrained_cfg", config)
    return source if isinstance(source, Mapping) else {}


def _read_pictures(config: Mapping[str, Any], path: Path) -> PictureSettings:
    source = _get_source(config)
    try:
        channels, height, width = map(int, source.get("input_size") or (3, 224, 224))
        share = float(source.get("crop_pct") or 0.875)
        settings = PictureSettings(
            shorter_side=math.floor(height / share),
            height=height,
            width=width,
            mean=_read_colours(source.get("mean"), _IMAGENET_MEAN),
            deviation=_read_colours(source.get("std"), _IMAGENET_DEVIATION),
            interpolation=source.get("interpolation") or "bicubic",
            rounds_middle=True,
        )
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise MetricError(
            f"{path}: input_size, crop_pct, mean and std of pretrained_cfg must be numbers, got: {error}"
        ) from error
    is_centred = (source.get("crop_mode") or "center") == "center" and not source.get("crop_border_pixels")
    is_known = settings.interpolation in ("bicubic", "bilinear") and 0 < share <= 1
    if channels != 3 or height != width or not is_centred or not is_known:
        raise MetricError(
            f"{path}: must ask for three colours, a square, crop_pct within (0, 1], crop_mode 'center' and "
            f"interpolation 'bicubic' or 'bilinear', got {dict(source)}"
        )
    return settings


def _read_colours(given: Any, otherwise: tuple[float, ...]) -> tuple[float, ...]:
    values = tuple(map(float, given)) if given is not None else otherwise
    if len(values) != 3:
        raise ValueError(f"{len(values)} colours")
    return values
