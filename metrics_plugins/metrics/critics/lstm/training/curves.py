"""The learning curve of a critic: a line of JSON for each pass."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.artifacts import write_atomically

_CURVE: Final = "learning_curve.jsonl"


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """One point of the learning curve.

    Attributes:
        epoch: Passes done.
        rate: Adam's rate in this pass.
        loss: Mean cross entropy of the pass, with numbers dropped.
        accuracy: Share of its examples that were told right, with numbers dropped.
        validation_accuracy: The same of the images held out, nothing dropped; None without such images.
        seconds: Of the pass.
    """

    epoch: int
    rate: float
    loss: float
    accuracy: float
    validation_accuracy: float | None
    seconds: float


def write_curve(folder: Path, points: Sequence[LearningPoint]) -> None:
    """Write the points of all passes."""
    lines = "".join(json.dumps(asdict(point)) + "\n" for point in points)
    write_atomically(folder / _CURVE, lines.encode("ascii"))


def read_curve(folder: Path, *, n_points: int) -> list[LearningPoint]:
    """Return the points of the first passes; none if there is no such file.

    Raises:
        MetricError: It is damaged.
    """
    path = folder / _CURVE
    if not path.is_file():
        return []
    try:
        return [LearningPoint(**json.loads(line)) for line in path.read_bytes().splitlines()[:n_points]]
    except (ValueError, TypeError) as error:
        raise MetricError(
            f"{path}: is damaged: each line must be a point of the learning curve: {error}; without this file "
            "learning goes on, and its curve begins there"
        ) from error
