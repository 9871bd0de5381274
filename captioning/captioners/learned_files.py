"""The JSON file of a captioner that learns no network, and its settings."""

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, Final

import numpy as np

from captioning.api import BadCheckpoint, CaptionBatch, CaptionerError, Images
from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.artifacts import read_json, write_card

FILE: Final = "learned.json"


def write_learned(folder: Path, captioner_id: str, content: Mapping[str, Any]) -> None:
    """Write what a captioner learned."""
    folder.mkdir(parents=True, exist_ok=True)
    write_card(folder / FILE, {"format": f"{captioner_id}-1", **content})


def read_learned(folder: Path | None, captioner_id: str, *, fields: Set[str]) -> dict[str, Any]:
    """Return what `write_learned` wrote.

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
