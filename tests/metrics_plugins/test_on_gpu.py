"""Tests that bundled networks give the same scores on GPU and CPU; without a GPU only the list is checked."""

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from metrics_plugins.api import Batch, Fittable
from metrics_plugins.api.metric import Trainable
from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE
from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.runtime import run_metric
from metrics_plugins.runtime.running import fit_metric
from tests.metrics_plugins.bundled import Row, choose_params, list_bundled, load_bundled_registry, make_batch
from tests.metrics_plugins.metrics.critics.lstm.tiny import train

ON_NETWORKS = (
    "clip-score",
    "critic-judgments",
    "critic-lstm",
    "critic-reference",
    "embedding-f1",
    "embedding-f1-idf",
    "ref-clip-score",
    "sentence-cosine",
    "sentence-cosine-max",
)
ON_WORD_VECTORS = ("wmd", "wmd-set")
TOLERANCE = 1e-5


def test_list_is_whole() -> None:
    registry = load_bundled_registry()
    single = [name for name in list_bundled() if registry.build(name, **choose_params(name)).precision != "float64"]

    assert sorted(set(single) - set(ON_WORD_VECTORS)) == list(ON_NETWORKS)


def assert_alike(found: np.ndarray, expected: np.ndarray) -> None:
    """Require scores within the tolerance (of what they span, if that is more than 1), and the ranks of those that are
    further apart than it explains."""
    tolerance = TOLERANCE * max(1.0, np.ptp(expected))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
    order = np.argsort(expected)
    is_next = np.diff(expected[order]) > 2 * tolerance
    assert is_next.sum() >= 8
    ranks = np.append(0, np.cumsum(is_next))
    assert ranks[np.argsort(found[order], kind="stable")].tolist() == ranks.tolist()


@pytest.fixture(scope="module")
def rows(data_folder: Path) -> list[Row]:
    """Captions of COCO; every second candidate is of another image."""
    with gzip.open(data_folder / "coco" / "example_input.json.gz", "rt") as file:
        images = json.load(file)[:65]
    pairs = enumerate(pairwise(images))
    return [([(image, following)[place % 2]["test"]], image["refs"]) for place, (image, following) in pairs]


def list_params(metric_id: str, rows: list[Row], folder: Path) -> dict[str, Any]:
    """Return the real MiniLM, a random CLIP, and what critics learn on the processor: one of them in its real size."""
    if metric_id == "critic-lstm":
        train(folder, epochs=1, hidden=512, dimension=300, pooled=8192)
        return {"weights": str(folder)}
    if metric_id == "critic-judgments":
        learner = load_bundled_registry().build(metric_id)
        assert isinstance(learner, Trainable)
        targets = np.linspace(1.0, 5.0, len(rows))
        learner.train(make_learning_batch(metric_id, rows), targets, np.random.default_rng(0), folder=folder)
        return {"weights": str(folder)}
    return choose_params(metric_id) if "clip" in metric_id else {}


def make_learning_batch(metric_id: str, rows: list[Row]) -> Batch:
    return make_batch(metric_id, rows[::-1], keys=[f"fitted on {row}" for row in range(len(rows))])


def score(metric_id: str, rows: list[Row], *, device: str, params: dict[str, Any]) -> np.ndarray:
    # Vectors are remembered whatever device they come from.
    open_memory.cache_clear()
    metric = load_bundled_registry().build(metric_id, device=device, **params)
    rng = np.random.default_rng(0)
    if isinstance(metric, Fittable):
        metric = fit_metric(metric, make_learning_batch(metric_id, rows), rng=rng)
    return run_metric(metric, make_batch(metric_id, rows), rng=rng).scores.values


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here: see the header of the run")
@pytest.mark.parametrize("metric_id", ON_NETWORKS)
def test_gpu_gives_the_processors_scores_and_ranks(
    metric_id: str, rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    # cuDNN's own default, and products as a program may have chosen: scores must not depend on either.
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    monkeypatch.setattr(torch.backends.cuda.matmul, "allow_tf32", True)
    params = list_params(metric_id, rows, tmp_path)

    on_processor, on_gpu = (score(metric_id, rows, device=device, params=params) for device in ("cpu", "cuda"))

    assert_alike(on_gpu, on_processor)
    assert torch.backends.cudnn.allow_tf32
