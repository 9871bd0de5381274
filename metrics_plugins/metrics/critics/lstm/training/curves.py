"""The learning curve of a critic: one line of JSON per epoch."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from execution.whole_files import write_whole
from metrics_plugins.api import MetricError

_CURVE: Final = "learning_curve.jsonl"


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """One point of the learning curve.

    Attributes:
        epoch: Number of completed epochs.
        rate: Adam's learning rate in this epoch.
        loss: Mean cross entropy over the epoch, with dropout.
        accuracy: Share of its examples classified correctly, with dropout.
        validation_accuracy: Accuracy on the held-out images without dropout; None if there are none.
        seconds: Duration of the epoch.
    """

    epoch: int
    rate: float
    loss: float
    accuracy: float
    validation_accuracy: float | None
    seconds: float


def write_curve(folder: Path, points: Sequence[LearningPoint]) -> None:
    """Write the points of all epochs."""
    lines = "".join(json.dumps(asdict(point)) + "\n" for point in points)
    write_whole(folder / _CURVE, lines.encode("ascii"))


def read_curve(folder: Path, *, n_points: int) -> list[LearningPoint]:
    """Return the points of the first epochs; none if there is no such file.

    Raises:
        MetricError: The file is damaged.
    """
    path = folder / _CURVE
    if not path.is_file():
        return []
    try:
        return [LearningPoint(**json.loads(line)) for line in path.read_bytes().splitlines()[:n_points]]
    except (ValueError, TypeError) as error:
        raise MetricError(
            f"{path}: is damaged: each line must be a point of the learning curve: {error}; without this file "
            "training continues, and its curve begins there"
        ) from error
