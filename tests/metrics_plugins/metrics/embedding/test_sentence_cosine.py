"""Tests of cosines of sentence vectors, with all references and with the nearest one."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric

CANDIDATES = ["a dog runs", "two cats", "", "the red cat"]
REFERENCES = [["a dog runs", "the dog"], ["two dogs on grass", "a cat", "a cat"], ["a cat"], []]


def _score(metric_id: str, folder: Path) -> np.ndarray:
    batch = Batch.make("0123", candidates=CANDIDATES, references=REFERENCES)
    metric = load_registry().build(metric_id, encoder=str(folder))
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


@pytest.fixture
def cosines(tiny_folder: Path) -> list[list[float]]:
    """Return those of each row, from the vectors alone."""
    encoder = load_registry().get_encoder(str(tiny_folder))
    return [
        [float(encoder.encode([candidate])[0] @ encoder.encode([text])[0]) for text in references]
        for candidate, references in zip(CANDIDATES, REFERENCES, strict=True)
    ]


def test_mean_over_references(tiny_folder: Path, cosines: list[list[float]]) -> None:
    expected = [*(np.mean(row) for row in cosines[:3]), np.nan]

    np.testing.assert_allclose(_score("sentence-cosine", tiny_folder), expected, atol=1e-6)


def test_nearest_reference(tiny_folder: Path, cosines: list[list[float]]) -> None:
    scores = _score("sentence-cosine-max", tiny_folder)

    np.testing.assert_allclose(scores, [*(max(row) for row in cosines[:3]), np.nan], atol=1e-6)
    assert scores[0] == pytest.approx(1.0)


def test_signature_names_the_weights(tiny_folder: Path) -> None:
    registry = load_registry()
    digest = registry.get_encoder(str(tiny_folder)).digest

    signature = str(registry.build("sentence-cosine", encoder=str(tiny_folder)).signature)

    assert signature == f"sentence-cosine|encoder:{tiny_folder.name}+{digest}|v:1"
