"""The report of a study: intervals, differences and human ceilings, as a value and as files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from correlation.comparison.compare import ComparisonRequest
from correlation.defaults import ALPHA
from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultRow
from correlation.reports import Report, build_report
from correlation.reports.forms import TABLE_FORMS
from correlation.resampling.intervals import IntervalRequest
from execution.whole_files import write_whole
from studies.analysis.agreement import PUBLISHED_BESIDE
from studies.analysis.correlations import (
    StudyObservations,
    gather_observations,
    refuse_placeholders,
    sign_number,
    sign_run,
)
from studies.models import Study
from studies.shared.files import check_output

Watcher = Callable[[str, int, int], None]
Publisher = Callable[[Sequence[ResultRow]], None]


RECORD_COLUMNS: Final = (
    *("study", "protocol", "metric", "coefficient", "level", "category", "value", "low", "high"),
    *("n", "n_missing", "p_value", "caution", "signature"),
)
"""The fields of a result in all output: `--json` of commands, the API and downloads."""


@dataclass(frozen=True, slots=True)
class Correlated:
    """The agreement of metrics with people, under one protocol; without metrics there are no rows and no report.

    Attributes:
        study: The name of the study of the judgments.
        protocol: Name and version.
        rows: The results, in the order of the metrics gathered. Metrics of which less is better are negated, so that
            more always means more agreement.
        signatures: For each metric, everything needed to reproduce its numbers, separated by " / ": the signatures of
            the metric and the protocol and, for an interval, what was resampled, how often and from which seed.
        report: The report with the rows.
    """

    study: str
    protocol: str
    rows: tuple[ResultRow, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    report: Report | None = None

    def list_records(self) -> list[dict[str, Any]]:
        """Return each result as a record with the fields of `RECORD_COLUMNS`."""
        about = {"study": self.study, "protocol": self.protocol}
        records = [asdict(row) | about | {"signature": self.signatures[row.metric]} for row in self.rows]
        return [{name: record[name] for name in RECORD_COLUMNS} for record in records]


def correlate_study(study: Study, **choices: Any) -> Correlated:
    """Return the results of a protocol for each metric, without intervals.

    Options and errors are those of `gather_observations`.
    """
    return correlate_observations(gather_observations(study, **choices))


def report_observations(
    gathered: StudyObservations,
    *,
    interval: IntervalRequest | None = None,
    comparison: ComparisonRequest | None = None,
    ceilings: Sequence[str] | None = None,
    seed: int = 0,
    watch: Watcher | None = None,
    publish: Publisher | None = None,
    processes: int = 1,
) -> Report:
    """Return a complete report.

    Args:
        gathered: Judgments, and the scores of at least one metric.
        interval: The method of intervals; by default there are none.
        comparison: The test of differences; by default there is none. A bootstrap test resamples the same units as the
            interval, equally often.
        ceilings: As for `build_report`; by default the mean over pairs of raters, in the coefficients of the protocol
            and those that papers use.
        seed: The seed of all draws.
        watch: Called before every step with its description, the number of steps done and the total.
        publish: Called with the rows of each metric as soon as they are computed.
        processes: The number of processes for resampling; the report does not depend on it.

    Raises:
        CorrelationInputError: There is no metric, or only one for tests of differences; the judgments do not fit, or
            placeholder raters are to be resampled.
    """
    if comparison and len(gathered.metrics) < 2:
        raise CorrelationInputError(
            f"study {gathered.study.name}: a comparison needs two metrics with scores, there are "
            f"{len(gathered.metrics)}; manage.py score {gathered.study.name}"
        )
    # Sort by id, so that a report does not depend on the order in which metrics were named.
    metrics = sorted(gathered.metrics, key=lambda each: each.metric)
    clusters = next((each.resampled for each in (interval, comparison) if each and each.resampled), ())
    refuse_placeholders(gathered, clusters)
    report = build_report(
        gathered.protocol,
        {each.metric: gathered.judgments.make_data(each.scores, gathered.protocol) for each in metrics},
        rng=seed,
        resamples=made.n_resamples if (made := interval or comparison) else 1,
        test_resamples=comparison.n_resamples if comparison else None,
        clusters=clusters or None,
        method=interval.method if interval else None,
        test=comparison.test if comparison else None,
        correction=comparison.correction if comparison else "none",
        alpha=_find_alpha(interval, comparison),
        ceilings=_choose_ceilings(gathered) if ceilings is None else ceilings,
        signatures={each.metric: sign_run(each.run) for each in metrics},
        title=gathered.study.name,
        watch=watch,
        publish=publish,
        processes=processes,
    )
    if ceilings is None and gathered.judgments.is_computed:
        return replace(report, notes=(*report.notes, "no human ceiling: the judgments are computed, not human"))
    if ceilings is None and gathered.judgments.has_placeholders and not gathered.protocol.is_pairwise:
        return replace(
            report, notes=(*report.notes, "no human ceiling: raters are placeholders, not individual raters")
        )
    return report


def correlate_observations(
    gathered: StudyObservations,
    *,
    interval: IntervalRequest | None = None,
    comparison: ComparisonRequest | None = None,
    with_ceilings: bool = False,
    seed: int = 0,
    watch: Watcher | None = None,
    processes: int = 1,
) -> Correlated:
    """Return the rows of the protocol, in the order of the metrics gathered, and their report.

    Arguments and errors as for `report_observations`.
    """
    found = Correlated(gathered.study.name, gathered.protocol.reference)
    if not gathered.metrics:
        return found
    report = report_observations(
        gathered,
        interval=interval,
        comparison=comparison,
        ceilings=None if with_ceilings else (),
        seed=seed,
        watch=watch,
        processes=processes,
    )
    by_metric: dict[str, list[ResultRow]] = {}
    for row in report.rows:
        by_metric.setdefault(row.metric, []).append(row)
    return replace(
        found,
        rows=tuple(row for each in gathered.metrics for row in by_metric[each.metric]),
        signatures={each.metric: sign_number(gathered, each.run, interval, seed=seed) for each in gathered.metrics},
        report=report,
    )


def write_report(found: Correlated, path: Path | None) -> None:
    """Write the report, if there is a path, in the format of its extension; a figure is the forest plot."""
    if path is None:
        return
    if found.report is None:
        raise CorrelationInputError("no installed metric can score the items of this study: there is nothing to report")
    write_whole(path, FORMS[path.suffix](found.report))


def _find_alpha(interval: IntervalRequest | None, comparison: ComparisonRequest | None) -> float:
    if comparison:
        return comparison.alpha
    # 1 - 0.95 is not 0.05 in binary.
    return round(1 - interval.confidence, 9) if interval else ALPHA


def _choose_ceilings(gathered: StudyObservations) -> tuple[str, ...]:
    if gathered.judgments.is_computed:
        return ()
    # Placeholders suffice for pairs, since the votes on a pair are always by different people.
    if gathered.judgments.has_placeholders and not gathered.protocol.is_pairwise:
        return ()
    coefficients = {measure.coefficient for measure in gathered.protocol.measures}
    beside = [f"mean-pairwise:{other}" for own, other in PUBLISHED_BESIDE.items() if own in coefficients]
    return ("mean-pairwise", *beside)


def _print(form: str, report: Report) -> bytes:
    return TABLE_FORMS[form](report).encode()


def _draw(file_format: str, report: Report) -> bytes:
    from correlation.figures import draw_forest, render

    return render(draw_forest(report), file_format)


FORMS: Mapping[str, Callable[[Report], bytes]] = MappingProxyType(
    {
        **{f".{form}": partial(_print, form) for form in TABLE_FORMS},
        **{f".{name}": partial(_draw, name) for name in ("pdf", "svg", "png")},
    }
)
"""File extension -> the content of the file."""

check_path = partial(check_output, formats=FORMS, what="a report", of="the report")
"""Raises an error, before anything is computed, if a file cannot be written."""
