"""Tests of checkpoints, which are written atomically and continued only by the same training."""

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.critics.lstm.training.checkpoints import Checkpoint, CheckpointIdentity, read_checkpoint


def test_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    identity = CheckpointIdentity("settings", "captions", 0)
    Checkpoint(1, 0, 0.0, {"network.a": np.zeros(1, dtype=np.float32)}).write(tmp_path, identity)
    card = json.loads((tmp_path / "checkpoint.json").read_text())
    (tmp_path / "checkpoint.json").write_text(json.dumps(card | {"format": "other"}))

    with pytest.raises(MetricError, match=r"must be of the format .* got 'other'"):
        read_checkpoint(tmp_path, identity)


def test_checkpoint_replaces_the_one_before(tmp_path: Path) -> None:
    identity = CheckpointIdentity("settings", "captions", 0)
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
    Checkpoint(1, 0, 0.0, {}).write(tmp_path, CheckpointIdentity("settings", "captions", 0))
    changed = {"settings": "settings", "captions": "captions", "seed": 0} | {name: "other"}

    with pytest.raises(MetricError, match=f"was started with other {name}"):
        read_checkpoint(tmp_path, CheckpointIdentity(**changed))


def test_no_checkpoint_is_none(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path, CheckpointIdentity("settings", "captions", 0)) is None


def test_damaged_checkpoints_are_told(tmp_path: Path) -> None:
    identity = CheckpointIdentity("settings", "captions", 0)
    Checkpoint(1, 0, 0.0, {"network.a": np.zeros(1, dtype=np.float32)}).write(tmp_path, identity)
    tensors, card = tmp_path / "checkpoint-1.safetensors", tmp_path / "checkpoint.json"
    whole = tensors.read_bytes()

    tensors.write_bytes(whole[:-1])
    with pytest.raises(MetricError, match=r"checkpoint-1.safetensors: is damaged: its content is not what was written"):
        read_checkpoint(tmp_path, identity)
    tensors.unlink()
    with pytest.raises(MissingResource, match=r"checkpoint-1.safetensors is not there, though .* names it"):
        read_checkpoint(tmp_path, identity)
    content = json.loads(card.read_text())
    card.write_text(json.dumps({name: value for name, value in content.items() if name != "epoch"}))
    with pytest.raises(MetricError, match=r"checkpoint.json: is damaged: it lacks epoch: remove it to begin again"):
        read_checkpoint(tmp_path, identity)
    card.write_text(card.read_text()[:-3])
    with pytest.raises(MetricError, match=r"checkpoint.json: is damaged: it must be JSON"):
        read_checkpoint(tmp_path, identity)


def test_what_a_killed_process_had_half_written_goes_with_the_next_checkpoint(tmp_path: Path) -> None:
    half = tmp_path / ".checkpoint-1.safetensors.123.part"
    half.write_bytes(b"half")

    Checkpoint(1, 0, 0.0, {}).write(tmp_path, CheckpointIdentity("settings", "captions", 0))

    assert not half.exists()
    assert len(list(tmp_path.iterdir())) == 2
