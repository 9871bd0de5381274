"""Tests of running a metric on a batch: its checks and its results."""

from typing import ClassVar

import numpy as np
import pytest

from metrics_plugins.api import Batch, Input, Level, Metric, MetricError, MetricInfo, Scores
from metrics_plugins.api.errors import BadScores, FittedOnEvaluation, MissingInput, UndeclaredInput
from metrics_plugins.runtime import fit_metric, run_metric
from tests.metrics_plugins.api.examples import Critic, Rarity, Recall, Variety, Vocabulary, Words, make_info


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def batch() -> Batch:
    return Batch.make(
        ["x", "y"],
        candidates=["a cat", "a dog runs"],
        references=[["a cat"], ["a black cat sits"]],
        caption_sets=[["a", "a"], ["a", "b"]],
    )


def test_metric_of_sums_gives_statistics_and_a_corpus_score_from_totals(batch: Batch, rng) -> None:
    run = run_metric(Recall(), batch, rng=rng)

    assert run.scores.keys == ("x", "y")
    assert run.scores.values.tolist() == [1.0, 0.25]
    assert run.corpus == 3 / 6
    assert run.statistics.tolist() == [[2.0, 2.0], [1.0, 4.0]]
    assert str(run.signature) == "recall|power:1|v:1"


def test_other_metrics_give_the_mean_of_their_rows(batch: Batch, rng) -> None:
    run = run_metric(Words(), batch, rng=rng)

    assert run.scores.values.tolist() == [2.0, 3.0]
    assert run.corpus == 2.5
    assert run.statistics is None


def test_set_and_corpus_levels(batch: Batch, rng) -> None:
    assert run_metric(Variety(), batch, rng=rng).scores.values.tolist() == [0.5, 1.0]

    run = run_metric(Vocabulary(), batch, rng=rng)

    assert run.scores.values.tolist() == [4.0]
    assert run.corpus == 4.0


def test_metric_is_fitted_on_the_batch_itself_by_default(batch: Batch, rng) -> None:
    # Images with the word among the references: a 2, cat 2, dog and runs 0.
    run = run_metric(Rarity(), batch, rng=rng)

    assert run.scores.values.tolist() == [(1 / 3 + 1 / 3) / 2, (1 / 3 + 1 + 1) / 3]


def test_metric_is_fitted_on_another_batch(batch: Batch, rng) -> None:
    run = run_metric(Rarity(), batch, rng=rng, fit_batch=Batch.make(["f"], references=[["a"]]))

    assert run.scores.values.tolist() == [(1 / 2 + 1) / 2, (1 / 2 + 1 + 1) / 3]


def test_empty_fit_batch_is_not_replaced(batch: Batch, rng) -> None:
    run = run_metric(Rarity(), batch, rng=rng, fit_batch=Batch.make([], references=[]))

    assert run.scores.values.tolist() == [1.0, 1.0]


def test_fit_on_references_sees_only_references(batch: Batch, rng) -> None:
    class Peeking(Rarity):
        def fit(self, batch: Batch, targets, rng) -> Metric:
            return super().fit(batch.restrict_to(frozenset({Input.CANDIDATE}), reader="x"), targets, rng)

    with pytest.raises(UndeclaredInput, match="metric 'rarity' while fitting"):
        fit_metric(Peeking(), batch, rng=rng)


def test_missing_column_is_named(rng) -> None:
    with pytest.raises(MissingInput, match="metric 'recall' needs references"):
        run_metric(Recall(), Batch.make(["x"], candidates=["a"]), rng=rng)


def test_undeclared_column_is_named(batch: Batch, rng) -> None:
    class Peeking(Words):
        def score(self, batch: Batch) -> Scores:
            return Scores.make(batch.keys, [len(row) for row in batch.references])

    with pytest.raises(UndeclaredInput, match="metric 'words' reads references"):
        run_metric(Peeking(), batch, rng=rng)


def _answer(answer: object, **changes: object) -> Metric:
    class Answering(Metric):
        info: ClassVar[MetricInfo] = make_info("answering", **changes)

        def score(self, batch: Batch) -> Scores:
            return answer(batch) if callable(answer) else answer

    return Answering()


@pytest.mark.parametrize(
    ("answer", "changes", "message"),
    [
        ([1.0, 2.0], {}, "metric 'answering' must return Scores, as .* does, got list"),
        (Scores.make(["x"], [1.0]), {}, "must return one score for each of 2 rows, got 1"),
        (Scores.make(["y", "x"], [1.0, 2.0]), {}, "in order, got 'y' for row 0, whose key is 'x'"),
        (Scores(keys=("x", "y"), values=np.array([1, 2])), {}, "must return float64, got int64"),
        (Scores.make(["x", "y"], [1, 2]), {"bounds": (0.0, 1.0)}, r"bounds \[0.0, 1.0\], but gave .*2.0.* for key 'y'"),
        (Scores.make(["x", "y"], [1, -2]), {"bounds": (0.0, np.inf)}, r"-2.0.* for key 'y' \(1 such rows\)"),
        (Scores.make(["x", "y"], [1, 2]), {"level": Level.CORPUS}, "corpus-level metric 'answering' must return one"),
    ],
)
def test_malformed_scores_are_refused(batch: Batch, rng, answer: object, changes: dict, message: str) -> None:
    with pytest.raises(BadScores, match=message):
        run_metric(_answer(answer, **changes), batch, rng=rng)


@pytest.mark.parametrize(
    ("values", "bounds"),
    [
        ([np.nan, 1.0], (0.0, 1.0)),
        ([1.0 + 5e-10, -5e-10], (0.0, 1.0)),
        ([100.0 + 5e-8, 0.0], (0.0, 100.0)),
        ([-1e300, 1e300], (-np.inf, np.inf)),
    ],
)
def test_missing_and_rounded_scores_are_within_bounds(batch: Batch, rng, values: list, bounds: tuple) -> None:
    run = run_metric(_answer(Scores.make(["x", "y"], values), bounds=bounds), batch, rng=rng)

    np.testing.assert_array_equal(run.scores.values, values)


def test_statistics_of_another_shape_are_refused(batch: Batch, rng) -> None:
    class Flat(Recall):
        n_statistics: ClassVar[int] = 3

    with pytest.raises(BadScores, match=r"statistics of 'recall' must have shape \(2, 3\), got \(2, 2\)"):
        run_metric(Flat(), batch, rng=rng)


def test_critic_is_kept_from_the_rows_it_learned_from(batch: Batch, rng) -> None:
    fitted = fit_metric(Critic(), batch.select([0]), rng=rng, targets=np.array([4.0]))

    assert run_metric(fitted, batch.select([1]), rng=rng).scores.values.tolist() == [4.0]
    with pytest.raises(FittedOnEvaluation) as raised:
        run_metric(fitted, batch, rng=rng)
    assert str(raised.value) == (
        "metric 'critic' was fitted on 1 of these 2 rows (such as 'x'): "
        "its agreement with people there would be overestimated"
    )


def test_critic_is_not_fitted_on_what_it_scores(batch: Batch, rng) -> None:
    with pytest.raises(FittedOnEvaluation):
        run_metric(Critic(), batch, rng=rng, targets=np.array([4.0, 1.0]))


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (None, "metric 'critic' fits on judgments: pass `targets`"),
        (np.array([1.0]), r"`targets` of 'critic' must have shape \(2,\), got \(1,\)"),
    ],
)
def test_critic_needs_a_target_for_each_row(batch: Batch, rng, targets: np.ndarray | None, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        fit_metric(Critic(), batch, rng=rng, targets=targets)


def test_critic_must_tell_what_it_learned_from(batch: Batch, rng) -> None:
    class Forgetful(Critic):
        def fit(self, batch: Batch, targets, rng) -> Metric:
            return super().fit(batch.select([0]), targets, rng)

    with pytest.raises(MetricError, match="learned from the judgments of 2 rows, but its `fitted_on` lacks 1 of"):
        fit_metric(Forgetful(), batch, rng=rng, targets=np.array([4.0, 1.0]))


@pytest.mark.parametrize(
    ("fitted", "message"),
    [
        (None, "fit of 'rarity' must return a Metric, got NoneType"),
        (Words(), "fit of 'rarity' must return a metric with the same info, got 'words'"),
    ],
)
def test_fit_must_return_the_same_metric(batch: Batch, rng, fitted: object, message: str) -> None:
    class Wrong(Rarity):
        def fit(self, batch: Batch, targets, rng) -> Metric:
            return fitted

    with pytest.raises(MetricError, match=message):
        fit_metric(Wrong(), batch, rng=rng)


class InverseWords(Words):
    """One by the number of words; infinite for a caption without any."""

    def score(self, batch: Batch) -> Scores:
        with np.errstate(divide="ignore"):
            return Scores.make(batch.keys, 1.0 / super().score(batch).values)


def test_an_infinite_score_is_counted_and_missing(rng) -> None:
    batch = Batch.make(["x", "y", "z"], candidates=["", "a cat", ""])

    run = run_metric(InverseWords(), batch, rng=rng)

    assert run.n_infinite == 2
    np.testing.assert_array_equal(run.scores.values, [np.nan, 0.5, np.nan])
    assert run.scores.n_missing == 2
    assert run.corpus == 0.5


def test_a_score_beyond_declared_bounds_is_refused_also_if_it_is_infinite(rng) -> None:
    class Bounded(InverseWords):
        info: ClassVar[MetricInfo] = make_info("bounded", bounds=(0.0, 1.0))

    with pytest.raises(BadScores, match=r"declares bounds \[0.0, 1.0\], but gave inf for key 'x' \(1 such rows\)"):
        run_metric(Bounded(), Batch.make(["x", "y"], candidates=["", "a"]), rng=rng)
