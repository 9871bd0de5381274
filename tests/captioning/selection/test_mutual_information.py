"""Tests of re-ranking: the objective, the published geometric means, and the grid against direct computation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from captioning.api import CaptionBatch
from captioning.api.captions import Floats
from captioning.selection.mutual_information import (
    METRICS,
    STEPS,
    Grid,
    ScoredCaptions,
    TableRow,
    Weights,
    compute_geometric_mean,
    score_language,
    search_weights,
    tabulate,
)
from captioning.selection.scoring import CandidateScores, score_candidates
from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.runtime import load_registry, run_metric

# Wang et al. (2020), table 3: BLEU, METEOR, CIDEr, CHAIRs, SPICE, SPICE-U, GeoMean.
TABLE_3 = """
TopDown               23.03 28.98 108.13  8.68 20.62 23.70 12.63
TopDown+Unigram       22.88 29.06 107.04  8.10 20.82 25.05 12.89
TopDown+LSTM          22.79 28.48 107.59  8.20 20.52 24.46 12.74
TopDown+Interpolated  22.77 28.84 106.42  7.80 20.72 25.27 12.94
DiscCap               21.93 27.55 112.39 11.92 20.32 23.74 11.84
DiscCap+Unigram       21.56 27.38 110.41 10.88 20.28 24.60 12.00
DiscCap+LSTM          21.64 27.40 111.73 11.34 20.17 23.79 11.87
DiscCap+Interpolated  21.58 27.42 110.90 10.84 20.27 24.52 12.02
AoANet                27.53 30.37 129.12 10.40 22.77 26.04 13.54
AoANet+Unigram        27.30 30.43 128.66  9.52 22.79 26.46 13.75
AoANet+LSTM           27.36 30.26 128.79 10.24 22.71 26.12 13.55
AoANet+Interpolated   27.18 30.39 128.15  9.28 22.81 26.53 13.80
"""
REFERENCES = (
    ("a dog runs on the grass", "a brown dog runs in a field"),
    ("a man rides a wave", "a man on a surfboard in the water"),
    ("a red bus on the street", "a bus drives down a city street"),
)
CAPTIONS = (
    ("a dog runs on the street", "a brown dog runs on the grass", "a dog"),
    ("a man on a surfboard", "a man rides a wave in the water", "a man"),
    ("a bus", "a red bus drives down the street", "a bus on the street"),
)


@dataclass(frozen=True)
class FixedModel:
    """Gives a caption a log-probability by its length; records what it was asked."""

    factor: float
    asked: list[str] = field(default_factory=list)

    def score(self, lines: Sequence[str]) -> Floats:
        self.asked.extend(lines)
        return np.array([-self.factor * len(line.split()) for line in lines])


class FixedMetric(Metric):
    """Stands for a metric that would need a parser."""

    def score(self, batch: Batch) -> Scores:
        raise NotImplementedError


def make_metric(name: str) -> FixedMetric:
    metric = FixedMetric()
    metric.info = MetricInfo(  # type: ignore[misc]  # one class for several ids
        id=name,
        title=name,
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=name != "chair-s",
        bounds=(0.0, 1.0),
        version="1",
        citation="none",
    )
    return metric


def _score_all(rng: np.random.Generator) -> tuple[CandidateScores, ...]:
    """Return real BLEU-4, and random numbers for the other metrics."""
    bleu = score_candidates([load_registry().build("bleu-4")], CAPTIONS, REFERENCES, rng=rng)
    return (*bleu, *(CandidateScores(make_metric(name), rng.random((3, 3))) for name in METRICS[1:]))


def _draw_scored(rng: np.random.Generator, n_images: int = 3) -> ScoredCaptions:
    unigram, lstm, given_image = (-5 * rng.random((n_images, 3)) for _ in range(3))
    captions = (CAPTIONS * n_images)[:n_images]
    return ScoredCaptions(captions=captions, given_image=given_image, unigram=unigram, lstm=lstm)


@pytest.mark.parametrize("line", TABLE_3.strip().splitlines())
def test_published_geometric_means_are_reproduced(line: str) -> None:
    *values, printed = (float(number) for number in line.split()[1:])

    assert round(compute_geometric_mean(dict(zip(METRICS, values, strict=True))), 2) == printed


def test_geometric_mean_is_undefined_without_hallucinations_or_with_an_undefined_metric() -> None:
    values = dict.fromkeys(METRICS, 10.0)

    assert compute_geometric_mean(values) == pytest.approx((10**5 / 10) ** (1 / 6))
    assert np.isnan(compute_geometric_mean(values | {"chair-s": 0.0}))
    assert np.isnan(compute_geometric_mean(values | {"spice": float("nan")}))
    assert compute_geometric_mean(values | {"spice": 0.0}) == 0.0


@pytest.mark.parametrize("share", STEPS)
def test_the_objective_is_that_of_the_paper(share: float) -> None:
    scored = _draw_scored(np.random.default_rng(3), n_images=8)

    for penalty in STEPS:
        chosen = scored.rerank(Weights(penalty=penalty, unigram_share=share))
        for row, place in enumerate(chosen):
            objective = [
                scored.given_image[row, k]
                - penalty * (share * scored.unigram[row, k] + (1 - share) * scored.lstm[row, k])
                for k in range(3)
            ]
            assert objective[place] == max(objective)


def test_without_penalty_the_beam_keeps_its_order_and_ties_keep_the_first() -> None:
    scored = ScoredCaptions(
        captions=CAPTIONS[:1],
        given_image=np.array([[-1.0, -2.0, -3.0]]),
        unigram=np.array([[-1.0, -2.0, -9.0]]),
        lstm=np.array([[-1.0, -1.0, -1.0]]),
    )

    assert scored.rerank(Weights(penalty=0.0, unigram_share=1.0)).tolist() == [0]
    # -1 + 1 = -2 + 2 < -3 + 9
    assert scored.choose(Weights(penalty=1.0, unigram_share=1.0)) == ("a dog",)
    two = replace(scored, given_image=scored.given_image[:, :2], unigram=scored.unigram[:, :2], lstm=scored.lstm[:, :2])
    assert two.rerank(Weights(penalty=1.0, unigram_share=1.0)).tolist() == [0]


def test_language_models_score_each_caption_once() -> None:
    beams = CaptionBatch(
        keys=("1", "2"),
        captions=(("a dog", "a dog runs"), ("a cat", "a dog")),
        log_probabilities=np.array([[-1.0, -2.0], [-1.0, -3.0]]),
    )
    unigram, lstm = FixedModel(1.0), FixedModel(0.5)

    scored = score_language(beams, unigram=unigram, lstm=lstm)

    assert unigram.asked == lstm.asked == ["a dog", "a dog runs", "a cat"]
    assert scored.unigram.tolist() == [[-2.0, -3.0], [-2.0, -2.0]]
    assert scored.lstm.tolist() == [[-1.0, -1.5], [-1.0, -1.0]]
    assert scored.given_image is beams.log_probabilities
    with pytest.raises(ValueError, match="some captions of the beam have none"):
        score_language(replace(beams, log_probabilities=np.full((2, 2), np.nan)), unigram=unigram, lstm=lstm)


def test_the_grid_has_the_metrics_of_the_chosen_captions() -> None:
    rng = np.random.default_rng(0)
    scored, scores = _draw_scored(rng), _score_all(rng)

    grid = search_weights(scored, scores)

    assert len(grid.rows) == 121
    for weights, row in grid.rows.items():
        chosen = scored.choose(weights)
        batch = Batch.make("123", candidates=chosen, references=REFERENCES)
        bleu = run_metric(load_registry().build("bleu-4"), batch, rng=rng).corpus
        places = scored.rerank(weights)
        expected = [bleu, *(each.values[np.arange(3), places].mean() for each in scores[1:])]
        assert list(row.values) == list(METRICS)
        assert list(row.values.values()) == pytest.approx([100 * value for value in expected])


def test_the_best_weights_maximise_the_geometric_mean() -> None:
    rng = np.random.default_rng(1)
    grid = search_weights(_draw_scored(rng), _score_all(rng))

    for share in (None, 1.0, 0.0):
        best = grid.find_best(unigram_share=share)
        others = [weights for weights in grid.rows if share is None or weights.unigram_share == share]
        assert best in others
        assert grid.rows[best].geometric_mean == max(grid.rows[weights].geometric_mean for weights in others)


def test_equal_means_give_the_smallest_penalty_and_undefined_ones_are_left_out() -> None:
    row = TableRow(dict.fromkeys(METRICS, 10.0))
    undefined = TableRow(dict.fromkeys(METRICS, 10.0) | {"chair-s": 0.0})
    first, second, third = (Weights(penalty=penalty, unigram_share=0.5) for penalty in (0.0, 0.1, 0.2))

    assert Grid({first: undefined, second: row, third: row}).find_best() == second
    with pytest.raises(ValueError, match="undefined for all 1 combinations"):
        Grid({first: undefined}).find_best()


def test_all_six_metrics_must_be_given() -> None:
    scores = _score_all(np.random.default_rng(0))

    with pytest.raises(ValueError, match="chair-s, spice-u are missing"):
        tabulate([each for each in scores if each.metric.info.id not in {"chair-s", "spice-u"}], np.zeros(3, dtype=int))
