"""Evaluate protocols with ratings: select and aggregate the judgments, correlate, compute intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from correlation.correlate import CorrelationResult, correlate
from correlation.errors import CorrelationInputError
from correlation.observations import Observations, prepare_observations
from correlation.protocols.aggregation import aggregate_judgments
from correlation.protocols.inputs import RatedItems
from correlation.protocols.recipe import Measure, Protocol
from correlation.protocols.row import MEAN, TOTAL, ResultRow, bound_row, compute_p_value, estimate_row, keep_defined
from correlation.resampling.counts import Units
from correlation.resampling.estimators import Estimator, build_units, prepare_estimator, prepare_pooled
from correlation.resampling.intervals import Estimated, IntervalRequest
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray, IntArray

# Rules that are means of judgments, and can be recomputed in each resample of the raters.
REPOOLED: Mapping[str, str] = MappingProxyType({"mean": "mean", "share-of-yes": "mean"})


def select_judgments(protocol: Protocol, data: RatedItems, *, part: str | None = None) -> BoolArray:
    """Return a mask of the judgments that the protocol uses, shape (n_judgments,).

    Parameters
    ----------
    part
        One of the protocol's criteria or categories; `total` for those of all its categories; None for all judgments.
    """
    table = data.judgments
    used: BoolArray = np.ones(len(table.value), dtype=np.bool_)
    if protocol.drop_candidates_in_references:
        if data.in_references is None:
            raise CorrelationInputError(f"protocol {protocol.reference} drops rows by `in_references`, got None")
        used &= ~data.in_references[table.item]
    if part is not None and protocol.categories:
        if table.category is None:
            raise CorrelationInputError(f"protocol {protocol.reference} needs the column `category`, got None")
        wanted = protocol.categories if part == TOTAL else (part,)
        used &= np.isin(table.category, wanted)[table.item]
    elif part is not None:
        if table.criterion is None:
            raise CorrelationInputError(f"protocol {protocol.reference} needs the column `criterion`, got None")
        used &= table.criterion == part
    return used


def repools(protocol: Protocol, interval: IntervalRequest) -> bool:
    """Return whether resampling raters changes the aggregated ratings, so that each resample recomputes them."""
    return "raters" in interval.resampled and protocol.ratings != "each"


def pool_ratings(rule: str, table: JudgmentTable, used: BoolArray) -> tuple[IntArray, FloatArray]:
    """Return item and target of every observation: each used judgment, or each judged item with its mean."""
    item, value = table.item[used], table.value[used]
    if rule == "each":
        return item, value
    if rule == "share-of-yes" and not np.isin(value, (0, 1)).all():
        strange = value[~np.isin(value, (0, 1))][0]
        raise CorrelationInputError(f"a share of yes needs judgments 0 and 1, got {strange:g}")
    target = aggregate_judgments(table.keep(used), rule=REPOOLED.get(rule, rule))
    judged: IntArray = np.flatnonzero(~np.isnan(target))
    return judged, target[judged]


def evaluate_ratings(
    protocol: Protocol,
    measure: Measure,
    data: RatedItems,
    interval: IntervalRequest | None,
    seed: int | None,
) -> list[ResultRow]:
    """Return one row, or one for each criterion of the protocol, or one for each category and their mean.

    The mean over categories has no interval: resamples of different categories are not of the same units.
    """
    rows = []
    for part in protocol.criteria or protocol.categories or (None,):
        used = select_judgments(protocol, data, part=part)
        row = _correlate_draws(protocol, measure, data, used, part)
        if measure == Measure("system", "pearson"):
            row = replace(row, p_value=compute_p_value(row.value, row.n))
        if interval is not None:
            estimated = _prepare_draws(protocol, measure, data, used, row, interval)
            row = bound_row(row, estimated, interval, seed)
        rows.append(row)
    if protocol.categories and TOTAL not in protocol.categories:
        rows.append(average_categories(rows))
    return rows


def average_categories(rows: Sequence[ResultRow]) -> ResultRow:
    """Return the row of the mean over categories, undefined where one of them is; without an interval."""
    empty = [str(row.category) for row in rows if row.value is None]
    defined = [row.value for row in rows if row.value is not None]
    return ResultRow(
        metric="",
        level=rows[0].level,
        coefficient=rows[0].coefficient,
        category=MEAN,
        value=None if empty else sum(defined) / len(defined),
        low=None,
        high=None,
        n=sum(row.n for row in rows),
        n_missing=sum(row.n_missing for row in rows),
        reason=f"undefined in {', '.join(empty)}" if empty else None,
    )


def average_draws(results: list[CorrelationResult], *, category: str | None) -> ResultRow:
    """Return the row whose value is the mean over draws of references."""
    first = results[0]
    return ResultRow(
        metric="",
        level=first.level,
        coefficient=first.coefficient,
        category=category,
        value=keep_defined(sum(result.value for result in results) / len(results)),
        low=None,
        high=None,
        n=min(result.n for result in results),
        n_missing=max(result.n_missing for result in results),
        reason=next((result.reason for result in results if result.reason), None),
    )


def average_estimators(estimators: list[Estimator]) -> Estimator:
    """Return the estimator of the mean over draws of references."""

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        values: FloatArray = np.mean([estimator(counts) for estimator in estimators], axis=0)
        return values

    return estimate


def _correlate_draws(
    protocol: Protocol, measure: Measure, data: RatedItems, used: BoolArray, criterion: str | None
) -> ResultRow:
    item, target = pool_ratings(protocol.ratings, data.judgments, used)
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
    return average_draws(results, category=criterion)


def _prepare_draws(
    protocol: Protocol,
    measure: Measure,
    data: RatedItems,
    used: BoolArray,
    row: ResultRow,
    interval: IntervalRequest,
) -> Estimated:
    """The row's estimator. Items missing in one draw are left out of all, so that all draws have the same units."""
    table = data.judgments
    repool = repools(protocol, interval)
    if repool and (measure.level != "item" or protocol.ratings not in REPOOLED):
        raise CorrelationInputError(
            f"raters of pooled ratings can be resampled for {', '.join(REPOOLED)} at level 'item', "
            f"not for {protocol.ratings} at {measure.level!r}"
        )
    item, target = pool_ratings("each" if repool else protocol.ratings, table, used)
    scores = np.where(np.isnan(data.scores).any(axis=0), np.nan, data.scores)[:, item]
    keys = {
        "groups": table.image[item],
        "systems": None if table.system is None else table.system[item],
    }
    raters = table.rater[used] if (len(item) == int(used.sum()) and protocol.ratings == "each") or repool else None
    estimators = []
    units: Units | None = None
    for draw in scores:
        rows, complete = prepare_observations(draw, target, level=measure.level, **keys)
        units = build_units(rows, complete, raters=raters, **keys)
        if repool:
            estimators.append(_pool_in_resamples(measure, rows, units, item[complete]))
        else:
            estimators.append(prepare_estimator(measure.level, measure.coefficient, rows, units))
    if units is None:
        raise CorrelationInputError("`scores` must have at least one draw, got none")
    return estimate_row(row, average_estimators(estimators), units)


def _pool_in_resamples(measure: Measure, rows: Observations, units: Units, item: IntArray) -> Estimator:
    cell: IntArray = np.unique(item, return_inverse=True)[1].astype(np.int64)
    return prepare_pooled(measure.coefficient, rows, units, cell)
