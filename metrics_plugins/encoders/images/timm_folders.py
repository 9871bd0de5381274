"""Folders of timm models, which contain the architecture, the weights and the preprocessing of images."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.images.pictures import PictureSettings
from metrics_plugins.encoders.weights import WEIGHTS, read_json, require_files

_CONFIG: Final = "config.json"
# timm's defaults.
_IMAGENET_MEAN: Final = (0.485, 0.456, 0.406)
_IMAGENET_DEVIATION: Final = (0.229, 0.224, 0.225)
# The sources from which timm would load weights; here they are always loaded from the folder.
_SOURCES: Final = frozenset({"url", "file", "source", "state_dict", "hf_hub_id", "hf_hub_filename", "custom_load"})
# Fields of the network, which folders from before version 0.9 store together with those of the weights.
_OF_NETWORK: Final = frozenset({"architecture", "num_features", "global_pool", "labels", "model_args"})


def is_timm_folder(folder: Path) -> bool:
    """Return whether a folder contains a timm model, whose configuration has the field `architecture`."""
    path = folder / _CONFIG
    return path.is_file() and isinstance(read_json(path).get("architecture"), str)


@dataclass(frozen=True, slots=True)
class TimmFolder:
    """A model in the format of `timm.models.save_for_hf`, in which timm's models are published.

    Attributes:
        path: The folder.
        architecture: timm's name of the architecture.
        pictures: The preprocessing of images, as in timm's evaluation.
    """

    path: Path
    architecture: str
    pictures: PictureSettings

    @property
    def weights(self) -> Path:
        return self.path / WEIGHTS

    @property
    def files(self) -> tuple[Path, ...]:
        """The files on which the vectors depend."""
        return (self.path / _CONFIG, self.weights)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the configuration of a folder.

        Raises:
            MissingResource: A file is missing.
            MetricError: The configuration is damaged, or requires preprocessing not supported by `PictureSettings`.
        """
        require_files(path, (_CONFIG, WEIGHTS), wanted_for=f"the encoder {path}")
        config = read_json(path / _CONFIG)
        return cls(
            path=path, architecture=str(config.get("architecture")), pictures=_read_pictures(config, path / _CONFIG)
        )

    def read_arguments(self) -> dict[str, Any]:
        """Return the arguments of `timm.create_model` besides the architecture, with the weights of this folder."""
        config = read_json(self.path / _CONFIG)
        prepared = {name: value for name, value in _get_source(config).items() if name not in _SOURCES | _OF_NETWORK}
        chosen = {name: config[name] for name in ("num_classes", "global_pool") if config.get(name) is not None}
        # timm checks the weights strictly only if the size of the classifier is as expected.
        prepared |= {"num_classes": chosen["num_classes"]} if "num_classes" in chosen else {}
        # Last, so that the folder cannot override it: without these weights the network would have random ones.
        weights = {"pretrained": True, "pretrained_cfg": prepared | {"file": str(self.weights)}}
        return {**chosen, **config.get("model_args", {}), **weights}


def _get_source(config: Mapping[str, Any]) -> Mapping[str, Any]:
    # Before version 0.9 timm stored the fields of the weights at the top level, with the architecture.
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
