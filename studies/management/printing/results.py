"""Common arguments of `score` and `correlate`, and the printing of their results."""

from collections.abc import Mapping
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser

from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.reports import Correlated
from studies.management.printing.tables import format_table
from studies.models import Dataset, Study
from studies.scoring.study_scoring import ScoredInput, ScoringReport

MOST_SYSTEMS: Final = 10
"""How many systems a table of scores has by default."""


def add_protocol_arguments(parser: CommandParser) -> None:
    """Add the arguments for a study, metrics and a protocol."""
    add_study_arguments(parser)
    parser.add_argument("--metrics", default="", metavar="A,B", help="ids, separated by commas (default: all that fit)")


def add_study_arguments(parser: CommandParser) -> None:
    """Add the arguments for a study and a protocol."""
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument(
        "--protocol", default="", metavar="NAME", help="default: those used by the studies of the dataset"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="change the protocol: rows, references, ratings, measures, ties, categories, criteria",
    )


def gather_chosen(study: Study, chosen: Mapping[str, Any]) -> StudyObservations:
    """Return the judgments and scores for the arguments of `add_protocol_arguments`."""
    return gather_observations(
        study,
        protocol=chosen["protocol"],
        protocol_options=chosen["option"],
        metrics=split_names(chosen["metrics"]) or None,
    )


def find_study(name: str) -> Study:
    """Return the study of this name; otherwise end the command with a list of the names."""
    study = Study.objects.select_related("dataset").filter(name=name).first()
    if study is None:
        names = ", ".join(Study.objects.values_list("name", flat=True)) or "none; see import_data"
        raise CommandError(f"there is no study {name!r} (known: {names})")
    return study


def find_dataset(name: str) -> Dataset:
    """Return the dataset of this name; otherwise end the command with a list of the names."""
    dataset = Dataset.objects.filter(name=name).first()
    if dataset is None:
        names = ", ".join(Dataset.objects.values_list("name", flat=True)) or "none; see import_data"
        raise CommandError(f"there is no dataset {name!r} (known: {names})")
    return dataset


def split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def print_report(report: ScoringReport, *, has_all_systems: bool = False, is_chosen: bool = False) -> str:
    """Return the work done, and the table of systems for each input, of the first ones only if there are many.

    If metrics were chosen by name, inputs that none of them scores, such as sets of captions, are not printed.
    """
    most = None if has_all_systems else MOST_SYSTEMS
    shown = [scored for scored in report.inputs if scored.metrics or not is_chosen]
    parts = [_print_input(scored, most=most) for scored in shown]
    parts += ["\n".join(f"left out: {name} {reason}" for name, reason in report.left_out)] if report.left_out else []
    if not report.n_computed and not report.failures:
        n_chunks = sum(metric.n_chunks for scored in report.inputs for metric in scored.metrics)
        parts.append(f"nothing to compute: all {n_chunks} chunks of dataset {report.dataset} are already scored")
    return "\n\n".join(parts)


def _print_input(scored: ScoredInput, *, most: int | None) -> str:
    heading = "\n".join([f"{scored.n_rows:,} {scored.level} rows, references: {scored.references}", *scored.notes])
    if not scored.metrics:
        return f"{heading}\nno metric produced scores"
    done = [
        f"{metric.metric}: {metric.n_computed} of {metric.n_chunks} chunks computed"
        if metric.n_computed
        else f"{metric.metric}: already scored"
        for metric in scored.metrics
    ]
    done += [
        f"{metric.metric}: {metric.n_infinite:,} infinite scores are treated as missing"
        for metric in scored.metrics
        if metric.n_infinite
    ]
    done += [
        f"{metric.metric}: {metric.n_unscored:,} of {scored.n_rows:,} rows have no score; "
        "rows without references, or that it learned from, may have none"
        for metric in scored.metrics
        if metric.n_unscored
    ]
    rows = [(name, *(f"{value:.5f}" for value in values)) for name, values in scored.systems.rows]
    n_more = 0 if most is None else max(0, len(rows) - most)
    more = [f"and {n_more:,} more systems, shown with --all-systems"] if n_more else []
    return "\n".join([heading, *done, "", format_table(("system", *scored.systems.metrics), rows[:most]), *more])


def print_results(found: Correlated) -> str:
    """Return the rows as a table, with values times 100, followed by the signatures."""
    if not found.rows:
        return "no installed metric can score the items of this study"
    has_p = any(row.p_value is not None for row in found.rows)
    header = (
        *("metric", "coefficient", "level", "category", "x100", "low", "high"),
        *(("p",) if has_p else ()),
        *("n", "missing"),
    )
    cells = [
        (
            row.metric,
            row.coefficient,
            row.level,
            row.category or "",
            *(print_percent(value) for value in (row.value, row.low, row.high)),
            *((("-" if row.p_value is None else f"{row.p_value:.4f}"),) if has_p else ()),
            f"{row.n:,}",
            f"{row.n_missing:,}",
        )
        for row in found.rows
    ]
    signatures = "\n".join(dict.fromkeys(found.signatures.values()))
    return f"{found.study}, {found.protocol}\n\n{format_table(header, cells, n_names=4)}\n\n{signatures}"


def print_percent(value: float | None) -> str:
    """Print a value times 100; a hyphen if it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"
