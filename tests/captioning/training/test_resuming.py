import json
import os
import random
import signal
import subprocess
import sys

import pytest
import torch

from captioning.api import BadCheckpoint
from captioning.captioners.neural import CganCaptioner
from tests.captioning.training.resuming import train

torch.set_num_threads(1)


def read_points(folder):
    points = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in point.items() if name != "seconds"} for point in points]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    train(folder)
    return folder


def require_same(folder, whole):
    for name in ("weights.safetensors", "captioner.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()
    assert read_points(folder) == read_points(whole)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in whole.iterdir())


class Stopped(Exception):
    pass


def stop_training(folder, n_steps, monkeypatch, **settings):
    left = [n_steps]

    def stop(*_, flush):
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    monkeypatch.setattr("builtins.print", stop)
    with pytest.raises(Stopped):
        train(folder, **settings)
    monkeypatch.undo()


@pytest.mark.parametrize("n_steps", [*(pytest.param(n, marks=pytest.mark.slow) for n in (1, 7, 12, 23)), 17])
def test_interrupted_training_ends_with_the_same_bytes(n_steps, whole, tmp_path, monkeypatch):
    stop_training(tmp_path, n_steps, monkeypatch)
    assert not (tmp_path / "captioner.json").exists()
    train(tmp_path)
    require_same(tmp_path, whole)


def test_interrupted_adversarial_training_ends_with_the_same_bytes(tmp_path, monkeypatch):
    settings = {"captioner": CganCaptioner, "objective": "adversarial", "steps": 6}
    train(tmp_path / "whole", **settings)
    # The checkpoint after 6 of 12 steps of the second phase has the evaluator and the moments of both optimizers.
    stop_training(tmp_path / "stopped", 14, monkeypatch, **settings)
    train(tmp_path / "stopped", **settings)
    require_same(tmp_path / "stopped", tmp_path / "whole")


@pytest.mark.slow
def test_training_killed_at_a_random_step_ends_with_the_same_bytes(whole, tmp_path):
    n_lines = random.Random(os.getpid()).randint(4, 22)
    command = [sys.executable, "-m", "tests.captioning.training.resuming", str(tmp_path), "0.05"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(n_lines):
            assert process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert (tmp_path / "checkpoint.json").exists() or n_lines <= 4
    train(tmp_path)
    require_same(tmp_path, whole)


def test_checkpoint_of_another_training_or_a_damaged_one_is_an_error(tmp_path, monkeypatch):
    def stop(label, step, *, flush):
        if step == 4:
            raise Stopped

    monkeypatch.setattr("builtins.print", stop)
    with pytest.raises(Stopped):
        train(tmp_path)
    with pytest.raises(BadCheckpoint, match="contains another training: its batch_size is 8, not 6"):
        train(tmp_path, batch_size=6)
    (tensors,) = tmp_path.glob("checkpoint-*.safetensors")
    tensors.write_bytes(b"broken")
    with pytest.raises(BadCheckpoint, match=r"is damaged.*remove checkpoint\.json to begin again"):
        train(tmp_path)
