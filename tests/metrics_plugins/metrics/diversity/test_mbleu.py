"""Tests of mBLEU of sets and corpora against the reference implementation and against BLEU itself."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import Batch
from metrics_plugins.runtime import run_metric
from tests.metrics_plugins.metrics.diversity.sets import GOLDEN, load_bundled_registry, make_golden_batch, run, score

ORDERS = range(1, 5)
WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red"]), max_size=8).map(" ".join)
FEW_SETS = st.lists(st.lists(WORDS, min_size=2, max_size=6), min_size=1, max_size=4)


def run_bleu(order: int, captions: list[str], others: list[list[str]]) -> tuple[list[float], float]:
    """Return the BLEU of each caption against the others, and of all as a corpus."""
    batch = Batch.make(map(str, range(len(captions))), candidates=captions, references=others)
    metric = load_bundled_registry().build(f"bleu-{order}", tokenizer="white-space")
    result = run_metric(metric, batch, rng=np.random.default_rng(0))
    return result.scores.values.tolist(), result.corpus


@pytest.mark.parametrize("order", ORDERS)
def test_golden_sets(order: int) -> None:
    values = run(f"mbleu-{order}", make_golden_batch()).scores.values.tolist()

    assert values == pytest.approx([golden["mbleu"][order - 1] for golden in GOLDEN["sets"]], abs=1e-12)


def test_golden_mix() -> None:
    values = run("mbleu-mix", make_golden_batch()).scores.values.tolist()

    assert values == pytest.approx([golden["mbleu_mix"] for golden in GOLDEN["sets"]], abs=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_golden_corpus(order: int) -> None:
    captions = {golden["name"]: golden["captions"] for golden in GOLDEN["sets"]}
    values = score(f"mbleu-{order}-corpus", [captions[name] for name in GOLDEN["corpus"]["sets"]])

    assert values == pytest.approx([GOLDEN["corpus"]["mbleu"][order - 1]], abs=1e-12)


@given(caption_sets=FEW_SETS)
@settings(deadline=None)
def test_a_set_scores_as_bleu_against_the_others(caption_sets: list[list[str]]) -> None:
    for order in ORDERS:
        values = score(f"mbleu-{order}", caption_sets)
        for captions, value in zip(caption_sets, values, strict=True):
            others = [captions[:i] + captions[i + 1 :] for i in range(len(captions))]
            expected, _ = run_bleu(order, captions, others)
            assert value == pytest.approx(np.mean(expected), abs=1e-12)


@given(caption_sets=FEW_SETS)
@settings(deadline=None)
def test_a_corpus_scores_as_bleu_of_ith_captions(caption_sets: list[list[str]]) -> None:
    for order in ORDERS:
        corpora = []
        for i in range(max(map(len, caption_sets))):
            having = [captions for captions in caption_sets if len(captions) > i]
            others = [captions[:i] + captions[i + 1 :] for captions in having]
            corpora.append(run_bleu(order, [captions[i] for captions in having], others)[1])

        assert score(f"mbleu-{order}-corpus", caption_sets) == pytest.approx([np.mean(corpora)], abs=1e-12)


def test_two_orders_of_averaging_differ() -> None:
    result = run("mbleu-4", make_golden_batch())

    assert result.corpus == pytest.approx(np.mean([golden["mbleu"][3] for golden in GOLDEN["sets"]]), abs=1e-12)
    assert abs(run("mbleu-4-corpus", make_golden_batch()).corpus - result.corpus) > 0.01


@pytest.mark.parametrize("metric_id", ["mbleu-1", "mbleu-4", "mbleu-mix"])
def test_small_sets_have_no_score(metric_id: str) -> None:
    values = score(metric_id, [[], ["a dog"], ["", ""]])

    expected = 1.0 if metric_id == "mbleu-mix" else 0.0
    assert values == pytest.approx([math.nan, math.nan, expected], nan_ok=True)


def test_small_sets_do_not_count_in_a_corpus() -> None:
    caption_sets = [["a dog", "a red dog"], ["the dog"], []]

    assert score("mbleu-1-corpus", caption_sets) == score("mbleu-1-corpus", caption_sets[:1])
    assert math.isnan(score("mbleu-1-corpus", caption_sets[1:])[0])


def test_direction() -> None:
    registry = load_bundled_registry()
    directions = {name: registry.get(name).info.higher_is_better for name in ("mbleu-1", "mbleu-1-corpus", "mbleu-mix")}

    assert directions == {"mbleu-1": False, "mbleu-1-corpus": False, "mbleu-mix": True}


def test_signatures() -> None:
    assert str(run("mbleu-4", make_golden_batch()).signature) == "mbleu-4|tok:white-space|len:closest|v:1"
