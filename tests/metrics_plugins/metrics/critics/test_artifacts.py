"""Tests of stored cards and tensors, which are complete or absent."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.critics.artifacts import (
    pack_tensors,
    read_card,
    read_settings,
    read_tensors,
    write_card,
    write_tensors,
)

FIELDS = frozenset({"seed"})


def read(path: Path) -> dict:
    return read_card(path, what="head", format_name="head 1", fields=FIELDS)


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    tensors = {"b": np.arange(6, dtype=np.float32).reshape(2, 3).T, "a": np.array([1, -1])}
    told = write_tensors(tmp_path / "t.safetensors", tensors)
    card = {"format": "head 1", "seed": 3, "tensors": told}
    write_card(tmp_path / "head.json", card)

    assert read(tmp_path / "head.json") == card
    found = read_tensors(tmp_path / told["file"], sha256=told["sha256"])
    assert {name: values.tolist() for name, values in found.items()} == {
        "a": [1, -1],
        "b": [[0, 3], [1, 4], [2, 5]],
    }
    assert pack_tensors(dict(reversed(tensors.items()))) == pack_tensors(tensors)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["head.json", "t.safetensors"]


def test_cards_that_are_missing_or_break_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "head.json"
    with pytest.raises(MissingResource, match=r"holds no head: head.json is not there"):
        read(path)
    write_card(path, {"format": "head 0", "seed": 3})
    with pytest.raises(MetricError, match=r"must be of the format 'head 1', got 'head 0': fit it again"):
        read(path)
    write_card(path, {"format": "head 1"})
    with pytest.raises(MetricError, match=r"head.json: is damaged: it lacks seed"):
        read(path)
    path.write_text("[]")
    with pytest.raises(MetricError, match=r"head.json: is damaged: it must be a JSON object"):
        read(path)


@dataclass(frozen=True)
class Settings:
    steps: int = 3
    rate: float = 0.5


def test_settings_are_read_and_unknown_ones_are_named() -> None:
    assert read_settings(Settings, {"rate": 0.25}) == Settings(steps=3, rate=0.25)
    with pytest.raises(MetricError, match="settings of another version: depth, width are not known"):
        read_settings(Settings, {"width": 1, "depth": 2, "steps": 1})


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    (tmp_path / "head.json").mkdir()

    with pytest.raises(OSError, match=r"head\.json"):
        write_card(tmp_path / "head.json", {})

    assert [path.name for path in tmp_path.iterdir()] == ["head.json"]
