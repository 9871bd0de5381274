"""Tests of similarity matrices against the reference implementations, and against CIDEr itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.metrics.diversity.kernels import Kernels, derive_kernels
from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer
from metrics_plugins.metrics.ngram.document_frequencies import count_documents
from metrics_plugins.runtime import load_registry, run_metric
from tests.metrics_plugins.metrics.diversity.sets import GOLDEN, REFERENCES, fit, make_batch, make_golden_batch

DOCUMENTS = count_documents(make_batch(REFERENCES, references=REFERENCES), WhiteSpaceTokenizer(), order=4)
WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red", "ball"]), max_size=9).map(" ".join)


def measure(batch: Batch, similarity: str) -> Kernels:
    return derive_kernels(batch, WhiteSpaceTokenizer(), DOCUMENTS, similarity=similarity)


@pytest.mark.parametrize("similarity", ["cider", "cider-d"])
def test_golden_matrices(similarity: str) -> None:
    found = {}
    for rows, matrices in measure(make_golden_batch(), similarity).iterate(as_given=True):
        found |= dict(zip(rows.tolist(), matrices, strict=True))

    for row, golden in enumerate(GOLDEN["sets"]):
        np.testing.assert_allclose(found[row], golden["kernels"][similarity], atol=1e-12)


@pytest.mark.parametrize("similarity", ["cider", "cider-d"])
@given(captions=st.lists(WORDS, min_size=1, max_size=5))
@settings(deadline=None)
def test_cells_are_cider_of_one_caption_with_another(similarity: str, captions: list[str]) -> None:
    pairs = [(candidate, reference) for candidate in captions for reference in captions]
    batch = Batch.make(
        map(str, range(len(pairs))),
        candidates=[candidate for candidate, _ in pairs],
        references=[[reference] for _, reference in pairs],
    )
    expected = run_metric(fit(similarity), batch, rng=np.random.default_rng(0)).scores.values

    ((_, matrices),) = measure(make_batch([captions]), similarity).iterate(as_given=True)

    assert matrices.ravel().tolist() == pytest.approx(expected.tolist(), abs=1e-12)


def test_sorted_captions_and_sets_of_several_sizes() -> None:
    kernels = measure(make_batch([["red dog", "dog"], [], ["dog"], ["dog", "red dog"]]), "cider-d")

    shapes = [(rows.tolist(), matrices.shape) for rows, matrices in kernels.iterate()]
    assert shapes == [([2], (1, 1, 1)), ([0, 3], (2, 2, 2))]
    ((first, second),) = [matrices for rows, matrices in kernels.iterate() if len(rows) == 2]
    assert np.array_equal(first, second)


def test_unknown_similarity_is_refused() -> None:
    with pytest.raises(MetricError) as raised:
        load_registry().build("m-cider", similarity="bleu")

    assert str(raised.value) == "`similarity` of metric 'm-cider' must be 'cider' or 'cider-d', got 'bleu'"
