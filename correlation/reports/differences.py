"""Test differences between metrics at the measures of a protocol, on the observations that the protocol uses."""

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from math import comb

import numpy as np

from correlation.coefficients.accuracy import credit_pairs
from correlation.comparison.accuracy import compare_accuracies
from correlation.comparison.compare import ComparisonTable, compare_metrics
from correlation.comparison.methods import ComparisonRequest
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.judged_pairs import average_votes
from correlation.protocols.rated_items import pool_ratings, select_judgments
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import MEAN, TOTAL, ResultMeasure, keep_defined
from correlation.protocols.units import warn_of_few
from correlation.reports.values import ReportDesign, ReportDifference
from correlation.validation import FloatArray


def compare_measures(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    measures: Sequence[ResultMeasure],
    design: ReportDesign,
    notes: list[str],
    *,
    cautioned: Collection[tuple[str, ResultMeasure]],
    processes: int = 1,
) -> tuple[tuple[ReportDifference, ...], dict[tuple[str, ResultMeasure], str]]:
    """Return all differences, and the letters of each metric and measure; failures are added to `notes`.

    `cautioned` are the metrics that have too few units of their own at a measure. They are not tested there, which the
    cautions of their rows say; the others are compared without them.
    """
    differences: list[ReportDifference] = []
    letters: dict[tuple[str, ResultMeasure], str] = {}
    if design.comparison is None or len(data_by_metric) < 2:
        return (), {}
    notes += find_too_few(design.comparison, comb(len(data_by_metric), 2))
    for measure in measures:
        # A metric with scores of few images would leave few to all others, since all are compared on the same rows.
        tested = {name: data for name, data in data_by_metric.items() if (name, measure) not in cautioned}
        if len(tested) < 2:
            continue
        few = warn_of_few(protocol, list(tested.values()), measure)
        if few:
            notes.append(f"{measure.coefficient} at level {measure.level}, with scores of all metrics: {few}")
            continue
        table = compare_at(protocol, tested, measure, design.comparison, seed=design.seed, processes=processes)
        if isinstance(table, str):
            notes.append(table)
            continue
        letters |= {(name, measure): own for name, own in zip(table.metrics, table.letters, strict=True)}
        differences += _make_differences(table, measure)
    return tuple(differences), letters


def _make_differences(table: ComparisonTable, measure: ResultMeasure) -> list[ReportDifference]:
    return [
        ReportDifference(
            level=measure.level,
            coefficient=measure.coefficient,
            category=measure.category,
            first=found.first,
            second=found.second,
            difference=keep_defined(found.difference),
            low=keep_defined(found.low),
            high=keep_defined(found.high),
            p_value=keep_defined(found.p_value),
            p_adjusted=keep_defined(found.p_adjusted),
            n=table.n,
            n_missing=table.n_missing,
        )
        for found in table.differences
    ]


def compare_at(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    measure: ResultMeasure,
    request: ComparisonRequest,
    *,
    seed: int,
    processes: int = 1,
) -> ComparisonTable | str:
    """Return the table of all differences at a measure, or a sentence that says why there is none.

    All metrics must have the same judgments. Raises `CorrelationInputError` if the test does not apply to the measure
    or keys are missing.
    """
    pairs = {name: data for name, data in data_by_metric.items() if isinstance(data, JudgedPairs)}
    rated = {name: data for name, data in data_by_metric.items() if isinstance(data, RatedItems)}
    rng = np.random.default_rng(seed)
    if measure.coefficient == "accuracy":
        return _compare_accuracies(protocol, pairs, measure, request, rng)
    n_draws = max(len(data.scores) for data in data_by_metric.values())
    if n_draws > 1:
        return (
            f"differences of {measure.coefficient} at level {measure.level} were not tested: "
            f"a value is a mean over {n_draws} draws of references"
        )
    if pairs:
        return _compare_votes(pairs, measure, request, rng, processes)
    if measure.category == MEAN:
        return (
            f"differences of {measure.coefficient} were not tested in the mean over categories, which has no resamples"
        )
    return _compare_ratings(protocol, rated, measure, request, rng, processes)


def find_too_few(request: ComparisonRequest, n_pairs: int) -> list[str]:
    """Return a sentence if no difference can be significant: p = (c + 1) / (n + 1) is at least 1 / (n + 1).

    >>> find_too_few(ComparisonRequest(n_resamples=500), 45)
    ['500 resamples are too few to tell any of 45 pairs apart at alpha 0.05, at least 900 are needed']
    """
    if request.test == "williams":
        return []
    tests = n_pairs if request.correction == "holm" else 1
    if tests / (request.n_resamples + 1) < request.alpha:
        return []
    needed = next(n for n in count(int(tests / request.alpha) - 1) if tests / (n + 1) < request.alpha)
    return [
        f"{request.n_resamples} resamples are too few to tell any of {n_pairs} pairs apart at alpha "
        f"{request.alpha:g}, at least {needed} are needed"
    ]


def _compare_accuracies(
    protocol: Protocol,
    pairs: Mapping[str, JudgedPairs],
    measure: ResultMeasure,
    request: ComparisonRequest,
    rng: np.random.Generator,
) -> ComparisonTable:
    votes = next(iter(pairs.values())).votes
    mean_vote = average_votes(votes)
    used = np.ones(len(mean_vote), dtype=np.bool_)
    if votes.category is not None and measure.category is not None:
        wanted = protocol.categories if measure.category in (MEAN, TOTAL) else (measure.category,)
        used = np.isin(votes.category, wanted)
    # Pairs on which people are evenly split give no metric a credit; they are not missing scores.
    used &= ~(np.isnan(mean_vote) | (mean_vote == 0))
    return compare_accuracies(
        {name: _credit(data, mean_vote, str(protocol.ties))[used] for name, data in pairs.items()},
        request=request,
        images=votes.image[used],
        categories=votes.category[used] if votes.category is not None and measure.category == MEAN else None,
        rng=rng,
    )


def _credit(data: JudgedPairs, mean_vote: FloatArray, ties: str) -> FloatArray:
    draws = [credit_pairs(scores[:, 0], scores[:, 1], mean_vote, ties=ties) for scores in data.scores]
    credit: FloatArray = np.mean(draws, axis=0)
    return credit


def _compare_votes(
    pairs: Mapping[str, JudgedPairs],
    measure: ResultMeasure,
    request: ComparisonRequest,
    rng: np.random.Generator,
    processes: int,
) -> ComparisonTable:
    votes = next(iter(pairs.values())).votes
    return compare_metrics(
        {name: data.scores[0, :, 0] - data.scores[0, :, 1] for name, data in pairs.items()},
        average_votes(votes),
        level="item",
        coefficient=measure.coefficient,
        request=request,
        groups=votes.image,
        rng=rng,
        processes=processes,
    )


def _compare_ratings(
    protocol: Protocol,
    rated: Mapping[str, RatedItems],
    measure: ResultMeasure,
    request: ComparisonRequest,
    rng: np.random.Generator,
    processes: int,
) -> ComparisonTable:
    first = next(iter(rated.values()))
    table = first.judgments
    used = select_judgments(protocol, first, part=measure.category)
    item, target = pool_ratings(protocol.ratings, table, used)
    return compare_metrics(
        {name: data.scores[0][item] for name, data in rated.items()},
        target,
        level=measure.level,
        coefficient=measure.coefficient,
        request=request,
        groups=table.image[item],
        systems=None if table.system is None else table.system[item],
        raters=table.rater[used] if protocol.ratings == "each" else None,
        # Positions instead of keys: primary keys sort differently as text and differ between databases.
        items=item,
        rng=rng,
        processes=processes,
    )
