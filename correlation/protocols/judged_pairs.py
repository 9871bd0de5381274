"""Evaluate protocols with pairwise choices: accuracy by category, and correlation with votes."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from correlation.coefficients.accuracy import credit_pairs
from correlation.correlate import correlate
from correlation.errors import CorrelationInputError
from correlation.observations import prepare_observations
from correlation.protocols.inputs import JudgedPairs
from correlation.protocols.rated_items import average_categories, average_draws, average_estimators
from correlation.protocols.recipe import Measure, Protocol
from correlation.protocols.row import MEAN, TOTAL, ResultRow, bound_row, estimate_row
from correlation.resampling.counts import Units
from correlation.resampling.estimators import Estimator, build_units, prepare_estimator, prepare_pooled
from correlation.resampling.intervals import Estimated, IntervalRequest
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray


def evaluate_accuracy(
    protocol: Protocol,
    measure: Measure,
    data: JudgedPairs,
    interval: IntervalRequest | None,
    seed: int | None,
) -> list[ResultRow]:
    """Return one row per category and one for their mean, unless the categories include a total; a single row over all
    pairs if there are no categories."""
    members = find_members(protocol, data.votes)
    if_first, if_second = _credit_choices(data, str(protocol.ties))
    mean_vote = average_votes(data.votes)
    credit = _choose(mean_vote, if_first, if_second)
    rows = [_accuracy_row(measure, category, credit[member]) for category, member in members.items()]
    if protocol.categories and TOTAL not in protocol.categories:
        rows.append(average_categories(rows))
    if interval is None:
        return rows
    masks = [*members.values()]
    bounded = []
    for number, row in enumerate(rows):
        wanted = masks if row.category == MEAN else [masks[number]]
        estimated = _estimate_accuracy(data.votes, if_first, if_second, wanted, row)
        bounded.append(bound_row(row, estimated, interval, seed))
    return bounded


def evaluate_votes(
    measure: Measure, data: JudgedPairs, interval: IntervalRequest | None, seed: int | None
) -> list[ResultRow]:
    """Return one row: the mean vote of each pair (+1 first, -1 second caption) against the difference of its scores."""
    mean_vote = average_votes(data.votes)
    differences = data.scores[:, :, 0] - data.scores[:, :, 1]
    results = [
        correlate(difference, mean_vote, level="item", coefficient=measure.coefficient) for difference in differences
    ]
    row = replace(average_draws(results, category=None), level=measure.level)
    if interval is None:
        return [row]
    complete = np.where(np.isnan(differences).any(axis=0), np.nan, differences)
    estimators, units = [], Units.build()
    for difference in complete:
        estimator, units = _estimate_votes(measure, data.votes, difference, mean_vote, interval)
        estimators.append(estimator)
    estimated = estimate_row(row, average_estimators(estimators), units)
    return [bound_row(row, estimated, interval, seed)]


def average_votes(votes: JudgmentTable) -> FloatArray:
    """Mean vote of each pair in [-1, 1], NaN without votes; its sign is the majority, 0 a tie."""
    counts = votes.judgments_per_item
    sums = np.bincount(votes.item, weights=votes.value, minlength=len(votes.items))
    means: FloatArray = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return means


def find_members(protocol: Protocol, votes: JudgmentTable) -> Mapping[str | None, BoolArray]:
    """Masks of the pairs in each category, shape (n_pairs,); key None for all pairs if there are no categories."""
    if not protocol.categories:
        return {None: np.ones(len(votes.items), dtype=np.bool_)}
    if votes.category is None:
        raise CorrelationInputError(f"protocol {protocol.reference} needs the column `category`, got None")
    parts = [category for category in protocol.categories if category != TOTAL]
    return {
        category: np.isin(votes.category, parts) if category == TOTAL else votes.category == category
        for category in protocol.categories
    }


def _credit_choices(data: JudgedPairs, ties: str) -> tuple[FloatArray, FloatArray]:
    """Credit of each pair if people choose the first caption, and if they choose the second, averaged over draws."""
    first, second = (
        np.mean([credit_pairs(s[:, 0], s[:, 1], np.full(len(s), choice), ties=ties) for s in data.scores], axis=0)
        for choice in (1.0, -1.0)
    )
    return first, second


def _choose(vote: FloatArray, if_first: FloatArray, if_second: FloatArray) -> FloatArray:
    return np.where(vote > 0, if_first, np.where(vote < 0, if_second, np.nan))


def _accuracy_row(measure: Measure, category: str | None, credit: FloatArray) -> ResultRow:
    missing = np.isnan(credit)
    n = int((~missing).sum())
    reason = None if n else f"no pair of category {category} has scores and a choice"
    return ResultRow(
        metric="",
        level=measure.level,
        coefficient=measure.coefficient,
        category=category,
        value=float(credit[~missing].mean()) if n else None,
        low=None,
        high=None,
        n=n,
        n_missing=int(missing.sum()),
        reason=reason,
    )


def _estimate_accuracy(
    votes: JudgmentTable,
    if_first: FloatArray,
    if_second: FloatArray,
    members: list[BoolArray],
    row: ResultRow,
) -> Estimated:
    """Mean over `members` of their accuracies; if raters are resampled, majorities are recomputed in each resample."""
    image = np.unique(votes.image, return_inverse=True)[1].astype(np.int64)
    rater = np.unique(votes.rater, return_inverse=True)[1].astype(np.int64)
    pairs = Units.build(images=image, rows=np.arange(len(votes.items)))
    voters = Units.build(raters=rater)
    sums: FloatArray = np.bincount(votes.item, weights=votes.value, minlength=len(votes.items)).astype(np.float64)

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        n_resamples = len(next(iter(counts.values())))
        outside = {axis: drawn for axis, drawn in counts.items() if axis != "raters"}
        weights = pairs.weigh(outside) if outside else np.ones((n_resamples, len(votes.items)))
        vote = sums[None]
        if "raters" in counts:
            drawn = voters.weigh({"raters": counts["raters"]}) * votes.value
            vote = np.stack([np.bincount(votes.item, weights=row, minlength=len(sums)) for row in drawn])
        credit = _choose(vote, if_first, if_second)
        defined = ~np.isnan(credit)
        worth, weights = np.where(defined, credit, 0.0), weights * defined
        with np.errstate(invalid="ignore"):
            shares = [(weights * worth)[:, m].sum(axis=1) / weights[:, m].sum(axis=1) for m in members]
        means: FloatArray = np.mean(shares, axis=0)
        return means

    units = Units({**pairs.codes, **voters.codes}, {**pairs.sizes, **voters.sizes})
    return estimate_row(row, estimate, units)


def _estimate_votes(
    measure: Measure, votes: JudgmentTable, difference: FloatArray, mean_vote: FloatArray, interval: IntervalRequest
) -> tuple[Estimator, Units]:
    if "raters" not in interval.resampled:
        rows, complete = prepare_observations(difference, mean_vote, level="item", groups=votes.image, systems=None)
        units = build_units(rows, complete, groups=votes.image, systems=None, raters=None)
        return prepare_estimator("item", measure.coefficient, rows, units), units
    item = votes.item
    image = votes.image[item]
    rows, complete = prepare_observations(difference[item], votes.value, level="item", groups=image, systems=None)
    units = build_units(rows, complete, groups=image, systems=None, raters=votes.rater)
    cell = np.unique(item[complete], return_inverse=True)[1].astype(np.int64)
    return prepare_pooled(measure.coefficient, rows, units, cell), units
