"""Captioners that learn no network: their JSON file and their settings."""

from abc import abstractmethod
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np

from captioning.api import (
    BadCheckpoint,
    BuildContext,
    CaptionBatch,
    CaptionedImages,
    CaptionerError,
    Images,
    TrainableCaptioner,
)
from metrics_plugins.api import MetricError
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.metrics.critics.artifacts import read_json, write_card

FILE: Final = "learned.json"


class CountingCaptioner(TrainableCaptioner):
    """A captioner that learns by counting and selecting what is in the training data.

    Attributes:
        defaults: Its settings, which are whole numbers of at least 0.
    """

    defaults: ClassVar[Mapping[str, int]]

    @classmethod
    @abstractmethod
    def learn(cls, data: CaptionedImages, counts: Mapping[str, int], *, folder: Path) -> Mapping[str, Any]:
        """Return the content of the file; what JSON cannot hold is written beside it.

        Args:
            data: The training images, which have the columns of `info.inputs`, with their captions.
            counts: The settings with all defaults.
            folder: The folder of the training, which may not exist yet.

        Raises:
            CaptionerError: A setting is invalid.
        """

    @classmethod
    def complete_settings(cls, settings: Mapping[str, object]) -> Mapping[str, object]:
        return read_counts(cls.info.id, settings, cls.defaults)

    @classmethod
    def train(
        cls,
        data: CaptionedImages,
        validation: CaptionedImages,
        *,
        folder: Path,
        rng: np.random.Generator,
        context: BuildContext,
        settings: Mapping[str, object],
        track: Track = pass_on,
    ) -> Self:
        data.images.require(cls.info.inputs, reader=f"captioner {cls.info.id!r}")
        counts = read_counts(cls.info.id, settings, cls.defaults)
        learned = cls.learn(data, counts, folder=folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_card(folder / FILE, {"format": f"{cls.info.id}-1", **learned})
        return cls.build(context, folder=folder)


def read_learned(folder: Path | None, captioner_id: str, *, fields: Set[str]) -> dict[str, Any]:
    """Return what `CountingCaptioner.train` wrote.

    Raises:
        CaptionerError: No folder is given.
        BadCheckpoint: The file is missing or damaged.
    """
    if folder is None:
        raise CaptionerError(f"captioner {captioner_id!r} must be trained first: no folder is given")
    path = folder / FILE
    if not path.is_file():
        raise BadCheckpoint(
            f"{folder} has no trained captioner {captioner_id!r}: {FILE} is not there (`python -m captioning train` "
            "writes it)"
        )
    try:
        content = read_json(path)
    except MetricError as error:
        raise BadCheckpoint(f"{error} (train it again)") from error
    missing = fields - set(content)
    if content.get("format") != f"{captioner_id}-1" or missing:
        raise BadCheckpoint(f"{path}: must be of the format '{captioner_id}-1' with all its fields: train it again")
    return content


def read_counts(captioner_id: str, settings: Mapping[str, object], defaults: Mapping[str, int]) -> dict[str, int]:
    """Return settings that are whole numbers of at least 0, with defaults filled in.

    Raises:
        CaptionerError: A setting is unknown or invalid.
    """
    for name, value in settings.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise CaptionerError(f"captioner {captioner_id!r} has no setting {name!r} (it has: {known})")
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise CaptionerError(
                f"`{name}` of captioner {captioner_id!r} must be a whole number of at least 0, got {value!r}"
            )
    return {name: int(str(settings.get(name, default))) for name, default in defaults.items()}


def make_batch(images: Images, captions: list[tuple[str, ...]], *, n: int) -> CaptionBatch:
    """Return captions without probabilities."""
    return CaptionBatch(images.keys, tuple(captions), np.full((len(images), n), np.nan))
