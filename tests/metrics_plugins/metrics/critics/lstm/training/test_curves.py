"""Tests that training curves are read as written, and that damaged ones are reported."""

from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.lstm.training.curves import LearningPoint, read_curve, write_curve

POINTS = [
    LearningPoint(epoch=number, rate=0.1, loss=0.5, accuracy=0.75, validation_accuracy=None, seconds=1.5)
    for number in (1, 2)
]


def test_written_points_come_back(tmp_path: Path) -> None:
    assert read_curve(tmp_path, n_points=2) == []

    write_curve(tmp_path, POINTS)

    assert read_curve(tmp_path, n_points=2) == POINTS
    # A pass whose checkpoint was not written any more is computed again.
    assert read_curve(tmp_path, n_points=1) == POINTS[:1]


@pytest.mark.parametrize("line", ["{", "1", '{"epoch": 1}', "\xff"])
def test_damaged_curve_is_told(line: str, tmp_path: Path) -> None:
    path = tmp_path / "learning_curve.jsonl"
    path.write_text(line, encoding="latin-1")

    with pytest.raises(MetricError, match=f"^{path}: is damaged: each line must be a point of the learning curve: "):
        read_curve(tmp_path, n_points=1)
