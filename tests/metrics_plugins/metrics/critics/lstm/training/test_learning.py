"""Tests of training: results, reproducibility, and errors."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.runtime import run_metric
from tests.metrics_plugins.metrics.critics.lstm.tiny import build, make_batch, train

ROOT = Path(__file__).resolve().parents[6]

LEARN = """
import sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from tests.metrics_plugins.metrics.critics.lstm.tiny import train
for folder in sys.argv[2:]:
    train(Path(folder), epochs=int(sys.argv[1]), validation=0.2, patience=30)
"""


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def score_pairs(metric: object, pairs: list[tuple[str, str]]) -> np.ndarray:
    batch = Batch.make(
        [f"new {number}" for number in range(len(pairs))],
        candidates=[candidate for candidate, _ in pairs],
        references=[[reference] for _, reference in pairs],
    )
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


@pytest.mark.parametrize("head", ["linear", "mlp", "bilinear"])
def test_critic_learns_what_a_machine_says(head: str, tmp_path: Path) -> None:
    critic = train(tmp_path, head=head, negatives="machine", epochs=25, n_images=60, dropout=0.1)

    # No person spoke of a table, and the machine always does.
    human, machine = score_pairs(
        critic, [("a dog runs near a tree", "near a tree a dog runs"), ("a dog on a table", "near a tree a dog runs")]
    )
    assert human > 0.9
    assert machine < 0.1


def test_learning_leaves_a_whole_folder(tmp_path: Path) -> None:
    train(tmp_path, validation=0.25, patience=2)

    assert list_files(tmp_path) == ["critic.json", "learning_curve.jsonl", "weights.safetensors"]
    points = [json.loads(line) for line in (tmp_path / "learning_curve.jsonl").read_text().splitlines()]
    assert [point["epoch"] for point in points] == [1, 2, 3]
    assert [point["rate"] for point in points] == pytest.approx([0.01, 0.009, 0.0081])
    assert all(0 <= point["validation_accuracy"] <= 1 for point in points)
    card = json.loads((tmp_path / "critic.json").read_text())
    assert len(card["images"]) == 24
    assert card["made_of"]["n_images"] == 18


def test_same_learning_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        train(tmp_path / name)
    train(tmp_path / "other", seed=1)

    first, second, other = (
        (tmp_path / name / "weights.safetensors").read_bytes() for name in ("first", "second", "other")
    )
    assert first == second
    assert first != other
    assert (tmp_path / "first" / "critic.json").read_bytes() == (tmp_path / "second" / "critic.json").read_bytes()


@pytest.mark.slow
def test_killed_learning_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    n_passes = 40
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    command = [sys.executable, "-c", LEARN, str(n_passes), str(killed)]
    process = subprocess.Popen(command, env=environment)
    while not (killed / "checkpoint.json").exists():
        assert process.poll() is None
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)

    assert process.wait() == -signal.SIGKILL
    assert not (killed / "critic.json").exists()
    n_kept = json.loads((killed / "checkpoint.json").read_text())["epoch"]
    assert 1 <= n_kept < n_passes
    subprocess.run([*command, str(whole)], env=environment, check=True)
    assert list_files(killed) == list_files(whole) == ["critic.json", "learning_curve.jsonl", "weights.safetensors"]
    for name in ("critic.json", "weights.safetensors"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert len((killed / "learning_curve.jsonl").read_text().splitlines()) == n_passes


def test_a_finished_training_is_only_read(tmp_path: Path) -> None:
    first = train(tmp_path)
    changed = {name: (tmp_path / name).stat().st_mtime_ns for name in list_files(tmp_path)}

    second = train(tmp_path)

    assert second.signature == first.signature
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in list_files(tmp_path)} == changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"hidden": 9}, "holds a critic that learned with other settings"),
        ({"seed": 1}, "holds a critic that learned with other seed"),
        ({"n_images": 25}, "holds a critic that learned with other captions"),
    ],
)
def test_folder_of_another_learning_is_refused(changed: dict, message: str, tmp_path: Path) -> None:
    train(tmp_path)

    with pytest.raises(MetricError, match=message):
        train(tmp_path, **changed)


def test_learning_stops_early_and_keeps_the_best_weights(tmp_path: Path) -> None:
    train(tmp_path, epochs=60, validation=0.25, patience=2)

    card = json.loads((tmp_path / "critic.json").read_text())["made_of"]
    points = [json.loads(line) for line in (tmp_path / "learning_curve.jsonl").read_text().splitlines()]
    accuracies = [point["validation_accuracy"] for point in points]
    assert card["epochs"] == len(points) < 60
    assert card["kept_epoch"] == card["epochs"] - 2 == 1 + accuracies.index(max(accuracies))


def test_loss_that_is_no_number_is_told_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("dog inf inf\nmen 1 2\nunk 0 1\n")

    with pytest.raises(MetricError, match=r"pass 1, batch \d of 5: the loss is nan.*odd numbers in word vectors"):
        train(tmp_path / "critic", vectors=str(tmp_path / "words.txt"))

    assert list_files(tmp_path / "critic") == []


def test_gradient_that_is_no_number_is_told_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    vectors = np.full((24, 4), 1e25, dtype=np.float32)
    np.savez(tmp_path / "images.npz", ids=np.array(make_batch().keys), features=vectors)
    metric = {"beside": "image", "head": "linear", "features": str(tmp_path / "images.npz")}

    with pytest.raises(MetricError, match=r"pass 1, batch \d of 5: the gradient's length is inf, .*and image features"):
        train(tmp_path / "critic", **metric)

    assert list_files(tmp_path / "critic") == []


@pytest.mark.slow
def test_short_memory_is_told_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    program = """
import resource, sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from metrics_plugins.api import MetricError
from tests.metrics_plugins.metrics.critics.lstm.tiny import train
train(Path(sys.argv[1]) / "small")
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 700 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    train(Path(sys.argv[1]) / "large", hidden=4000)
except MetricError as error:
    print(error)
"""
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stderr
    assert "the memory of cpu is too short to learn from 5 images at a time with 4000 hidden units: " in result.stdout
    assert list_files(tmp_path / "large") == []


def test_critic_beside_images_learns_from_their_vectors(tmp_path: Path) -> None:
    batch = make_batch()
    vectors = np.random.default_rng(0).normal(size=(24, 4)).astype(np.float32)
    np.savez(tmp_path / "images.npz", ids=np.array(batch.keys), features=vectors)

    for beside in ("image", "both"):
        metric = build(beside=beside, features=str(tmp_path / "images.npz"))
        fitted = metric.train(batch, None, np.random.default_rng(0), folder=tmp_path / beside)
        assert fitted.signature.metric == "critic-lstm"
    with pytest.raises(MetricError, match="beside='image' needs image vectors: set `features`"):
        build(beside="image")


def test_image_without_vectors_is_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "images.npz", ids=np.array(["image 0"]), features=np.ones((1, 4), dtype=np.float32))
    metric = build(beside="image", features=str(tmp_path / "images.npz"))

    with pytest.raises(MetricError, match=r"has no features of image 'image \d+' \(4 such images\)"):
        metric.fit(make_batch(5), None, np.random.default_rng(0))
