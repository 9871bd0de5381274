"""Tests of the table of re-ranking and of its intervals."""

import numpy as np
import pytest

from captioning.selection.mutual_information import METRICS, ScoredCaptions, Weights, tabulate
from captioning.selection.reranking_table import GEOMETRIC_MEAN, compare_weights
from captioning.selection.scoring import CandidateScores
from tests.captioning.selection.test_mutual_information import make_metric

N_IMAGES = 300


def _draw() -> tuple[ScoredCaptions, tuple[CandidateScores, ...]]:
    """Captions of which the second is rarer, and better by 0.1 under every metric but `meteor`."""
    rng = np.random.default_rng(0)
    scored = ScoredCaptions(
        captions=(("a", "b"),) * N_IMAGES,
        given_image=np.tile([-1.0, -1.5], (N_IMAGES, 1)),
        unigram=np.tile([-1.0, -3.0], (N_IMAGES, 1)),
        lstm=np.tile([-1.0, -1.0], (N_IMAGES, 1)),
    )
    scores = []
    for name in METRICS:
        first = rng.uniform(0.4, 0.6, N_IMAGES)
        change = {"chair-s": -0.1, "meteor": 0.0}.get(name, 0.1)
        scores.append(CandidateScores(make_metric(name), np.column_stack([first, first + change])))
    return scored, tuple(scores)


def test_rows_have_the_metrics_of_their_weights() -> None:
    scored, scores = _draw()
    chosen = {"beam": Weights(penalty=0.0, unigram_share=1.0), "unigram": Weights(penalty=0.5, unigram_share=1.0)}

    beam, unigram = compare_weights(scored, scores, chosen, rng=np.random.default_rng(0), n_samples=20)

    assert (beam.name, beam.share_changed, beam.intervals) == ("beam", 0.0, {})
    assert (unigram.name, unigram.share_changed) == ("unigram", 1.0)
    expected = tabulate(scores, np.ones(N_IMAGES, dtype=np.int64))
    assert unigram.values == {**expected.values, GEOMETRIC_MEAN: expected.geometric_mean}


def test_intervals_are_of_paired_differences() -> None:
    scored, scores = _draw()
    chosen = {"beam": Weights(penalty=0.0, unigram_share=1.0), "unigram": Weights(penalty=0.5, unigram_share=1.0)}

    _, unigram = compare_weights(scored, scores, chosen, rng=np.random.default_rng(0), n_samples=50)

    # Every image differs by the same amount, so that samples do not vary.
    assert unigram.intervals["spice"] == pytest.approx((10.0, 10.0))
    assert unigram.intervals["chair-s"] == pytest.approx((-10.0, -10.0))
    assert unigram.intervals["meteor"] == pytest.approx((0.0, 0.0), abs=1e-9)
    low, high = unigram.intervals[GEOMETRIC_MEAN]
    assert 0 < low < high


def test_an_interval_covers_the_spread_of_a_mean() -> None:
    scored, scores = _draw()
    noise = np.random.default_rng(5).normal(size=N_IMAGES)
    noisy = tuple(
        CandidateScores(each.metric, np.column_stack([each.values[:, 0], each.values[:, 0] + noise]))
        if each.metric.info.id == "spice"
        else each
        for each in scores
    )
    chosen = {"beam": Weights(penalty=0.0, unigram_share=1.0), "unigram": Weights(penalty=0.5, unigram_share=1.0)}

    _, row = compare_weights(scored, noisy, chosen, rng=np.random.default_rng(0), n_samples=2000)

    low, high = row.intervals["spice"]
    half_width = 1.96 * 100 * noise.std() / np.sqrt(N_IMAGES)
    assert (high - low) / 2 == pytest.approx(half_width, rel=0.1)
    assert (high + low) / 2 == pytest.approx(100 * noise.mean(), abs=0.1 * half_width)


def test_a_choice_is_needed() -> None:
    with pytest.raises(ValueError, match="at least one choice"):
        compare_weights(*_draw(), {}, rng=np.random.default_rng(0))
