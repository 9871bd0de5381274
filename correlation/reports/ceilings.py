"""The human ceilings of a report, at every measure of the protocol."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from correlation.agreement.ceiling import CeilingResult, measure_ceiling
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.pair_ceiling import METHOD, PairCeiling, measure_pair_ceiling
from correlation.protocols.rated_items import select_judgments
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import MEAN, ResultMeasure, keep_defined
from correlation.reports.values import ReportCeiling, ReportDesign
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

# Raters are compared with each other and so not resampled; single judgments are not units of a comparison.
RESAMPLED = ("images", "systems")


def measure_ceilings(
    protocol: Protocol,
    data: RatedItems | JudgedPairs,
    measures: Sequence[ResultMeasure],
    wanted: Sequence[str],
    design: ReportDesign,
    notes: list[str],
) -> tuple[ReportCeiling, ...]:
    """Return each requested ceiling, `METHOD` or `METHOD:COEFFICIENT`, at each measure; failures are added to `notes`.

    A ceiling with a coefficient of its own is measured once per level and category. For pairs, there is one ceiling in
    accuracy, from single votes.
    """
    if not wanted:
        return ()
    if isinstance(data, JudgedPairs):
        return _measure_pairs(protocol, data, measures, design, notes)
    ceilings: dict[tuple[str, ResultMeasure], ReportCeiling] = {}
    for method, _, coefficient in (text.partition(":") for text in wanted):
        for measure in measures:
            if measure.category == MEAN:
                # A mean over categories has no units of its own.
                continue
            place = replace(measure, coefficient=coefficient or measure.coefficient)
            if (method, place) not in ceilings:
                ceilings[method, place] = _measure(protocol, data, method, place, design)
    notes += _explain(ceilings.values())
    return tuple(ceilings.values())


def _explain(ceilings: Iterable[ReportCeiling]) -> list[str]:
    """Return why ceilings are missing, each reason once; with their names only if others are there."""
    found = list(ceilings)
    absent: dict[str, list[str]] = {}
    for ceiling in found:
        if ceiling.value is None:
            absent.setdefault(ceiling.reason or "undefined", []).append(f"{ceiling.method}, {ceiling.coefficient}")
    if len(absent) == 1 and all(ceiling.value is None for ceiling in found):
        return [f"no human ceiling: {reason}" for reason in absent]
    return [f"no human ceiling ({'; '.join(dict.fromkeys(names))}): {reason}" for reason, names in absent.items()]


def _measure_pairs(
    protocol: Protocol,
    data: JudgedPairs,
    measures: Sequence[ResultMeasure],
    design: ReportDesign,
    notes: list[str],
) -> tuple[ReportCeiling, ...]:
    """Compare single votes regardless of the method, since the raters of pairs usually differ between pairs."""
    ceilings = []
    for measure in measures:
        if measure.coefficient != "accuracy":
            continue
        interval = _request_interval(design)
        ceilings.append(measure_votes(protocol, data.votes, measure, interval=interval, seed=design.seed))
    notes += _explain(ceilings)
    return tuple(ceilings)


def _measure(
    protocol: Protocol, data: RatedItems, method: str, measure: ResultMeasure, design: ReportDesign
) -> ReportCeiling:
    used = data.judgments.keep(select_judgments(protocol, data, part=measure.category))
    return measure_judgments(used, method, measure, interval=_request_interval(design), seed=design.seed)


def measure_judgments(
    judgments: JudgmentTable, method: str, measure: ResultMeasure, *, interval: IntervalRequest | None, seed: int
) -> ReportCeiling:
    """Return the ceiling of one measure from the judgments of single captions, by the method of `measure_ceiling`."""
    result = measure_ceiling(
        judgments,
        method=method,
        coefficient=measure.coefficient,
        level=measure.level,
        interval=interval,
        rng=np.random.default_rng(seed),
    )
    n = sum(part.n for part in result.parts)
    return _make_ceiling(method, measure, result, n=n, n_parts=len(result.parts))


def measure_votes(
    protocol: Protocol, votes: JudgmentTable, measure: ResultMeasure, *, interval: IntervalRequest | None, seed: int
) -> ReportCeiling:
    """Return the ceiling in accuracy from single votes on pairs, for the category of the measure."""
    rng = np.random.default_rng(seed)
    found = measure_pair_ceiling(protocol, votes, category=measure.category, interval=interval, rng=rng)
    return _make_ceiling(METHOD, measure, found, n=found.n, n_parts=found.n_votes)


def _make_ceiling(
    method: str, measure: ResultMeasure, found: CeilingResult | PairCeiling, *, n: int, n_parts: int
) -> ReportCeiling:
    return ReportCeiling(
        method=method,
        level=measure.level,
        coefficient=measure.coefficient,
        category=measure.category,
        value=keep_defined(found.value),
        low=keep_defined(found.low),
        high=keep_defined(found.high),
        n=n,
        n_parts=n_parts,
        reason=found.reason,
    )


def _request_interval(design: ReportDesign) -> IntervalRequest | None:
    """Return the interval of the metrics, restricted to units that a ceiling can resample."""
    request = design.interval
    if request is None:
        return None
    axes = tuple(axis for axis in request.resampled if axis in RESAMPLED)
    return replace(request, resampled=axes) if axes else None
