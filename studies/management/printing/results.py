"""What `score` and `correlate` have in common: their arguments, and results as text."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from studies.analysis.analysis import StudyObservations, gather_observations
from studies.analysis.reporting import Correlated
from studies.management.printing.tables import format_table
from studies.models import Dataset, Study
from studies.scoring.scoring import ScoredInput, ScoringReport


def add_protocol_arguments(parser: CommandParser) -> None:
    """Add what chooses a study, metrics and a protocol."""
    add_study_arguments(parser)
    parser.add_argument("--metrics", default="", metavar="A,B", help="ids, apart by commas (default: all that fit)")


def add_study_arguments(parser: CommandParser) -> None:
    """Add what chooses a study and a protocol."""
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument("--protocol", default="", metavar="NAME", help="default: what the dataset's studies ask for")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="change the protocol: rows, references, ratings, measures, ties, categories, criteria",
    )


def gather_chosen(study: Study, chosen: Mapping[str, Any]) -> StudyObservations:
    """Return judgments and scores as the arguments of `add_protocol_arguments` choose them."""
    return gather_observations(
        study,
        protocol=chosen["protocol"],
        protocol_options=chosen["option"],
        metrics=split_names(chosen["metrics"]) or None,
    )


def find_study(name: str) -> Study:
    """Return the study of this name, or end the command with the names there are."""
    study = Study.objects.select_related("dataset").filter(name=name).first()
    if study is None:
        names = ", ".join(Study.objects.values_list("name", flat=True)) or "none; see import_data"
        raise CommandError(f"there is no study {name!r} (there are: {names})")
    return study


def find_dataset(name: str) -> Dataset:
    """Return the dataset of this name, or end the command with the names there are."""
    dataset = Dataset.objects.filter(name=name).first()
    if dataset is None:
        names = ", ".join(Dataset.objects.values_list("name", flat=True)) or "none; see import_data"
        raise CommandError(f"there is no dataset {name!r} (there are: {names})")
    return dataset


def split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def print_report(report: ScoringReport) -> str:
    """Return what was scored, and the table of systems for each input."""
    parts = [_print_input(scored) for scored in report.inputs]
    parts += ["\n".join(f"left out: {name} {reason}" for name, reason in report.left_out)] if report.left_out else []
    if not report.n_computed and not report.failures:
        n_chunks = sum(metric.n_chunks for scored in report.inputs for metric in scored.metrics)
        parts.append(f"nothing to compute: all {n_chunks} chunks of dataset {report.dataset} are there")
    return "\n\n".join(parts)


def _print_input(scored: ScoredInput) -> str:
    heading = f"{scored.n_rows:,} {scored.level} rows, references: {scored.references}"
    if not scored.metrics:
        return f"{heading}\nno metric scored"
    done = [f"{metric.metric}: {metric.n_computed} of {metric.n_chunks} chunks computed" for metric in scored.metrics]
    done += [
        f"{metric.metric}: {metric.n_infinite:,} infinite scores count as missing"
        for metric in scored.metrics
        if metric.n_infinite
    ]
    rows = [(name, *(f"{value:.5f}" for value in values)) for name, values in scored.systems.rows]
    return "\n".join([heading, *done, "", format_table(("system", *scored.systems.metrics), rows)])


def print_results(found: Correlated) -> str:
    """Return the rows as a table, values times 100, and the signatures under it."""
    if not found.rows:
        return "no installed metric scores what this study judges"
    header = ("metric", "coefficient", "level", "category", "x100", "low", "high", "n", "missing")
    cells = [
        (
            row.metric,
            row.coefficient,
            row.level,
            row.category or "",
            *(_print_value(value) for value in (row.value, row.low, row.high)),
            f"{row.n:,}",
            f"{row.n_missing:,}",
        )
        for row in found.rows
    ]
    signatures = "\n".join(dict.fromkeys(found.signatures.values()))
    return f"{found.study}, {found.protocol}\n\n{format_table(header, cells, n_names=4)}\n\n{signatures}"


def _print_value(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"
