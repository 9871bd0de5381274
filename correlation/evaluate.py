"""Evaluate a protocol: columns of judgments and scores in, rows of a table out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan

import numpy as np

from correlation.accuracy import credit_pairs
from correlation.correlate import CorrelationResult, correlate
from correlation.errors import CorrelationInputError
from correlation.inputs import JudgedPairs, RatedItems
from correlation.recipe import Measure, Protocol
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray, IntArray

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class ProtocolRow:
    """One number of a protocol.

    `value` is in natural units: a coefficient in [-1, 1], an accuracy as a share in [0, 1]; NaN where undefined, then
    `reason` says why. `category` is a category of pairs, `mean` (over the categories), a criterion, or None. `n` and
    `n_missing` count as in `CorrelationResult`; for pairs they count pairs. `low` and `high` bound the interval,
    None where none was asked for.
    """

    coefficient: str
    level: str
    category: str | None
    value: float
    low: float | None
    high: float | None
    n: int
    n_missing: int
    reason: str | None = None
    n_undefined: int = 0


def evaluate_protocol(protocol: Protocol, data: RatedItems | JudgedPairs) -> tuple[ProtocolRow, ...]:
    """Compute the rows of a protocol for one metric.

    With several draws of references, each number is computed for every draw and averaged.

    Raises
    ------
    CorrelationInputError
        The data are of the wrong kind (ratings for a protocol of pairs), or lack a column that the protocol needs.

    Examples
    --------
    >>> from correlation.protocols import get_protocol
    >>> from correlation.tables import JudgmentTable
    >>> votes = JudgmentTable.build(
    ...     items=["p", "q"], image=["1", "2"], category=["HC", "HC"],
    ...     item=["p", "q"], rater=["ann", "ann"], value=[1, -1],
    ... )
    >>> pairs = JudgedPairs.build(votes, scores=[[0.5, 0.25], [0.5, 0.5]])
    >>> protocol = get_protocol("pascal-50s", categories=("HC",))
    >>> [(row.category, row.value, row.n) for row in evaluate_protocol(protocol, pairs)]
    [('HC', 0.5, 2), ('mean', 0.5, 2)]
    """
    if protocol.is_pairwise != isinstance(data, JudgedPairs):
        wanted = "JudgedPairs" if protocol.is_pairwise else "RatedItems"
        raise CorrelationInputError(f"protocol {protocol.reference} needs {wanted}, got {type(data).__name__}")
    rows: list[ProtocolRow] = []
    for measure in protocol.measures:
        if isinstance(data, JudgedPairs):
            compute = _measure_accuracy if measure.coefficient == "accuracy" else _correlate_votes
            rows += compute(protocol, measure, data)
        else:
            rows += _correlate_ratings(protocol, measure, data)
    return tuple(rows)


def _correlate_ratings(protocol: Protocol, measure: Measure, data: RatedItems) -> list[ProtocolRow]:
    if not protocol.criteria:
        return [_correlate_criterion(protocol, measure, data, None)]
    return [_correlate_criterion(protocol, measure, data, criterion) for criterion in protocol.criteria]


def _correlate_criterion(protocol: Protocol, measure: Measure, data: RatedItems, criterion: str | None) -> ProtocolRow:
    used = select_judgments(protocol, data, criterion=criterion)
    item, target = _pool_ratings(protocol.ratings, data.judgments, used)
    table = data.judgments
    results = [
        correlate(
            scores[item],
            target,
            level=measure.level,
            coefficient=measure.coefficient,
            groups=table.image[item],
            systems=None if table.system is None else table.system[item],
        )
        for scores in data.scores
    ]
    return _average_draws(results, category=criterion)


def select_judgments(protocol: Protocol, data: RatedItems, *, criterion: str | None = None) -> BoolArray:
    """Which judgments the protocol uses, shape (n_judgments,)."""
    table = data.judgments
    used: BoolArray = np.ones(len(table.value), dtype=np.bool_)
    if protocol.drop_candidates_in_references:
        if data.in_references is None:
            raise CorrelationInputError(f"protocol {protocol.reference} drops rows by `in_references`, got None")
        used &= ~data.in_references[table.item]
    if criterion is not None:
        if table.criterion is None:
            raise CorrelationInputError(f"protocol {protocol.reference} needs the column `criterion`, got None")
        used &= table.criterion == criterion
    return used


def _pool_ratings(rule: str, table: JudgmentTable, used: BoolArray) -> tuple[IntArray, FloatArray]:
    item, value = table.item[used], table.value[used]
    if rule == "each":
        return item, value
    if rule == "share-of-yes" and not np.isin(value, (0, 1)).all():
        strange = value[~np.isin(value, (0, 1))][0]
        raise CorrelationInputError(f"a share of yes needs judgments 0 and 1, got {strange:g}")
    counts = np.bincount(item, minlength=len(table.items))
    judged: IntArray = np.flatnonzero(counts)
    sums = np.bincount(item, weights=value, minlength=len(table.items))
    return judged, sums[judged] / counts[judged]


def _correlate_votes(protocol: Protocol, measure: Measure, data: JudgedPairs) -> list[ProtocolRow]:  # noqa: ARG001
    mean_vote = _mean_votes(data.votes)
    results = [
        correlate(scores[:, 0] - scores[:, 1], mean_vote, level="item", coefficient=measure.coefficient)
        for scores in data.scores
    ]
    row = _average_draws(results, category=None)
    return [replace(row, level=measure.level)]


def _measure_accuracy(protocol: Protocol, measure: Measure, data: JudgedPairs) -> list[ProtocolRow]:
    mean_vote = _mean_votes(data.votes)
    worth = np.stack([credit_pairs(s[:, 0], s[:, 1], mean_vote, ties=str(protocol.ties)) for s in data.scores])
    if protocol.categories and data.votes.category is None:
        raise CorrelationInputError(f"protocol {protocol.reference} needs the column `category`, got None")
    if not protocol.categories:
        return [_accuracy_row(measure, None, worth)]
    rows = [_accuracy_row(measure, name, worth[:, data.votes.category == name]) for name in protocol.categories]
    return [*rows, _average_categories(measure, rows)]


def _accuracy_row(measure: Measure, category: str | None, worth: FloatArray) -> ProtocolRow:
    missing = np.isnan(worth).any(axis=0)
    n = int((~missing).sum())
    value = float(worth[:, ~missing].mean()) if n else nan
    reason = None if n else f"no pair of category {category} has scores and a choice"
    return ProtocolRow(
        measure.coefficient, measure.level, category, value, None, None, n, int(missing.sum()), reason=reason
    )


def _average_categories(measure: Measure, rows: list[ProtocolRow]) -> ProtocolRow:
    empty = [str(row.category) for row in rows if isnan(row.value)]
    return ProtocolRow(
        coefficient=measure.coefficient,
        level=measure.level,
        category=MEAN,
        value=nan if empty else sum(row.value for row in rows) / len(rows),
        low=None,
        high=None,
        n=sum(row.n for row in rows),
        n_missing=sum(row.n_missing for row in rows),
        reason=f"undefined in {', '.join(empty)}" if empty else None,
    )


def _mean_votes(votes: JudgmentTable) -> FloatArray:
    """Mean vote of each pair in [-1, 1], NaN for a pair without votes; its sign is the majority, 0 a human tie."""
    counts = votes.judgments_per_item
    sums = np.bincount(votes.item, weights=votes.value, minlength=len(votes.items))
    means: FloatArray = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return means


def _average_draws(results: list[CorrelationResult], *, category: str | None) -> ProtocolRow:
    values = [result.value for result in results]
    first = results[0]
    return ProtocolRow(
        coefficient=first.coefficient,
        level=first.level,
        category=category,
        value=sum(values) / len(values),
        low=None,
        high=None,
        n=min(result.n for result in results),
        n_missing=max(result.n_missing for result in results),
        reason=next((result.reason for result in results if result.reason), None),
        n_undefined=max(result.n_undefined for result in results),
    )
