"""Build a report: evaluate a protocol for all metrics, test differences, and measure human ceilings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import comb

import numpy as np

from correlation.comparison.methods import choose_resamples
from correlation.defaults import ALPHA, CORRECTION, METHOD, RESAMPLES, SYSTEM_UNIT, UNIT
from correlation.errors import CorrelationInputError
from correlation.protocols.defaults import choose_test, is_of_systems
from correlation.protocols.evaluate_metrics import evaluate_metrics
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.protocols.units import warn_of_few
from correlation.reports.ceilings import measure_ceilings
from correlation.reports.differences import compare_measures
from correlation.reports.report import Report, choose_ranking
from correlation.reports.values import ReportCeiling, ReportDesign, ReportMetric

# Called with the name of the step that starts, the number of steps done, and their total number.
Watcher = Callable[[str, int, int], None]
# Called with the rows of one metric.
Publisher = Callable[[Sequence[ResultRow]], None]


def build_report(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    *,
    rng: np.random.Generator | int,
    resamples: int | None = None,
    test_resamples: int | None = None,
    clusters: Sequence[str] | None = None,
    method: str | None = METHOD,
    test: str | None = "",
    correction: str = CORRECTION,
    alpha: float = ALPHA,
    ceilings: Sequence[str] = ("mean-pairwise",),
    signatures: Mapping[str, str] | None = None,
    title: str = "",
    watch: Watcher | None = None,
    publish: Publisher | None = None,
    processes: int = 1,
) -> Report:
    """Evaluate a protocol for several metrics and return all results as one report.

    Parameters
    ----------
    protocol
        The definition of the evaluation.
    data_by_metric
        For each metric, the same judgments with its scores; higher is better.
    rng
        A seed, or a generator from which one is drawn; the report records the seed, which reproduces the report.
    resamples
        Number of resamples of every interval and test; by default 1,000, and for tests more if `choose_resamples`
        requires it.
    test_resamples
        Number of resamples of every test, if different.
    clusters
        What the intervals resample: `images`, `raters`, `systems`, `rows`, or several for their product; by default
        systems if all measures are at system level, else images.
    method
        Method of the intervals, as in `IntervalRequest`; None for no intervals. `fisher` does not resample.
    test, correction, alpha
        As in `ComparisonRequest`; an empty `test` is the default of the protocol, None tests no differences. A
        bootstrap test resamples `clusters`. Measures with fewer than ten images (at system level: systems) are never
        tested; their rows say so in `caution`.
    ceilings
        Methods of `measure_ceiling` in the coefficient of each measure, or `METHOD:COEFFICIENT` for another one. A
        value can exceed only a ceiling in the same coefficient.
    signatures
        Signatures of the scores of each metric, printed under the table.
    watch
        Called before every step with its name (a metric, `differences`, `human ceiling`), the number of steps done and
        their total number.
    publish
        Called with the rows of each metric as soon as they are computed, without letters and ceiling marks.
    processes
        Number of worker processes; does not affect the report.

    Raises
    ------
    CorrelationInputError
        There are no metrics, their judgments differ, or an argument of the protocol, interval or test is invalid.

    Examples
    --------
    >>> from correlation.protocols.named import get_protocol
    >>> from correlation.tables import JudgmentTable
    >>> table = JudgmentTable.build(
    ...     items=["a", "b", "c"], image=["1", "2", "3"], item=list("abcabc"), rater=["x"] * 3 + ["y"] * 3,
    ...     value=[1, 2, 3, 1, 3, 2],
    ... )
    >>> protocol = get_protocol("custom", rows="all", references="all", ratings="each", measures="item:kendall-b")
    >>> data = RatedItems.build(table, scores=[1, 2, 3])
    >>> report = build_report(protocol, {"good": data, "bad": data.with_scores([3, 2, 1])}, rng=7, resamples=50)
    >>> [(row.metric, round(row.value, 3), row.is_above_ceiling) for row in report.rows]
    [('good', 0.667, True), ('bad', -0.667, False)]
    """
    _check_judgments(data_by_metric)
    seed = int(rng.integers(2**32)) if isinstance(rng, np.random.Generator) else int(rng)
    axes = tuple(clusters) if clusters is not None else ((SYSTEM_UNIT,) if is_of_systems(protocol) else (UNIT,))
    test = choose_test(protocol) if test == "" else test
    if resamples is None and test_resamples is None:
        test_resamples = choose_resamples(comb(len(data_by_metric), 2), alpha=alpha)
    design = ReportDesign(
        method=method,
        clusters=() if method == "fisher" and test != "bootstrap" else axes,
        test=test,
        correction=correction,
        alpha=alpha,
        resamples=RESAMPLES if resamples is None else resamples,
        seed=seed,
        test_resamples=test_resamples,
    )
    steps = _Steps(watch, len(data_by_metric) + 2)
    rows = _evaluate(protocol, data_by_metric, design, steps, publish, processes)
    measures = tuple(dict.fromkeys(row.measure for row in rows))
    notes: list[str] = []
    steps.begin("differences")
    cautioned = {(row.metric, row.measure) for row in rows if row.caution}
    differences, letters = compare_measures(
        protocol, data_by_metric, measures, design, notes, cautioned=cautioned, processes=processes
    )
    steps.begin("human ceiling")
    found = measure_ceilings(protocol, next(iter(data_by_metric.values())), measures, ceilings, design, notes)
    names = _order_metrics(rows, choose_ranking(measures))
    marked = [_mark_row(row, letters, found) for row in rows]
    return Report(
        title=title,
        protocol=protocol.signature,
        metrics=tuple(ReportMetric(name, (signatures or {}).get(name, "")) for name in names),
        rows=tuple(row for name in names for row in marked if row.metric == name),
        ceilings=found,
        differences=differences,
        design=design,
        notes=tuple(notes),
    )


def _check_judgments(data_by_metric: Mapping[str, RatedItems | JudgedPairs]) -> None:
    if not data_by_metric:
        raise CorrelationInputError("`data_by_metric` must have at least one metric, got none")
    first_name, first = next(iter(data_by_metric.items()))
    for name, data in data_by_metric.items():
        one, other = (each.votes if isinstance(each, JudgedPairs) else each.judgments for each in (first, data))
        same = one is other or all(
            np.array_equal(getattr(one, column), getattr(other, column))
            for column in ("items", "item", "rater", "value")
        )
        if not same:
            raise CorrelationInputError(f"all metrics must have the same judgments, {name!r} and {first_name!r} do not")


class _Steps:
    """Counts the steps and reports them to `watch`."""

    def __init__(self, watch: Watcher | None, total: int) -> None:
        self._watch, self._done, self._total = watch, 0, total

    def begin(self, what: str) -> None:
        if self._watch is not None:
            self._watch(what, self._done, self._total)
        self._done += 1


def _evaluate(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    design: ReportDesign,
    steps: _Steps,
    publish: Publisher | None,
    processes: int,
) -> list[ResultRow]:
    rows: list[ResultRow] = []
    evaluated = evaluate_metrics(
        protocol, data_by_metric, interval=design.interval, seed=design.seed, processes=processes
    )
    for name in data_by_metric:
        steps.begin(name)
        own = [
            replace(row, caution=warn_of_few(protocol, [data_by_metric[name]], row.measure))
            for row in next(evaluated)[1]
        ]
        if publish is not None:
            publish(own)
        rows += own
    return rows


def _order_metrics(rows: Sequence[ResultRow], ranking: ResultMeasure) -> list[str]:
    values = {row.metric: row.value for row in rows if row.measure == ranking}

    def place(name: str) -> tuple[bool, float, str]:
        value = values[name]
        return value is None, -(value or 0.0), name

    return sorted(values, key=place)


def _mark_row(
    row: ResultRow, letters: Mapping[tuple[str, ResultMeasure], str], ceilings: Sequence[ReportCeiling]
) -> ResultRow:
    """Return the row with its letters, and whether it exceeds a ceiling of the same measure."""
    value = row.value
    if value is None:
        return row
    above = any(c.measure == row.measure and c.value is not None and value > c.value for c in ceilings)
    return replace(row, letters=letters.get((row.metric, row.measure)), is_above_ceiling=above)
