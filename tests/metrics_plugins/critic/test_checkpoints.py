"""Checkpoints: written whole, and only gone on from by the same learning."""

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.critic.checkpoints import Checkpoint, Identity, read_checkpoint


def test_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    identity = Identity("settings", "captions", 0)
    Checkpoint(1, 0, 0.0, {"network.a": np.zeros(1, dtype=np.float32)}).write(tmp_path, identity)
    card = json.loads((tmp_path / "checkpoint.json").read_text())
    (tmp_path / "checkpoint.json").write_text(json.dumps(card | {"format": "other"}))

    with pytest.raises(MetricError, match=r"must be of the format .* got 'other'"):
        read_checkpoint(tmp_path, identity)


def test_checkpoint_replaces_the_one_before(tmp_path: Path) -> None:
    identity = Identity("settings", "captions", 0)
    for epoch in (1, 2):
        values = {"network.a": np.full(2, epoch, dtype=np.float32)}
        Checkpoint(epoch, epoch, 0.5, values).write(tmp_path, identity)

    found = read_checkpoint(tmp_path, identity)

    assert found is not None
    assert (found.epoch, found.best_epoch, found.best_accuracy) == (2, 2, 0.5)
    assert found.tensors["network.a"].tolist() == [2.0, 2.0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-2.safetensors", "checkpoint.json"]


@pytest.mark.parametrize("name", ["settings", "captions", "seed"])
def test_checkpoint_of_another_learning_is_refused(name: str, tmp_path: Path) -> None:
    Checkpoint(1, 0, 0.0, {}).write(tmp_path, Identity("settings", "captions", 0))
    changed = {"settings": "settings", "captions": "captions", "seed": 0} | {name: "other"}

    with pytest.raises(MetricError, match=f"was begun with other {name}"):
        read_checkpoint(tmp_path, Identity(**changed))


def test_no_checkpoint_is_none(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path, Identity("settings", "captions", 0)) is None
