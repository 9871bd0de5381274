"""The registry of export files: their names, content types and writers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from types import MappingProxyType
from typing import Any, Final

from correlation.csv_lines import write_csv
from studies.access.audit import Actor, record_change
from studies.enums import AuditAction
from studies.models import Study, System
from studies.publishing.exporting.coco import write_results
from studies.publishing.exporting.lines import write_jsonl, write_parquet
from studies.publishing.exporting.mtme import CannotExport, write_mtme
from studies.publishing.exporting.scores import KEYS, load_columns, name_columns, read_rows
from studies.publishing.exports import JUDGMENT_COLUMNS, read_judgments
from studies.shared.errors import quote

__all__ = ["FILES", "SCORE_FORMATS", "CannotExport", "Export", "export_file"]

_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "csv": "text/csv; charset=utf-8",
        "jsonl": "application/x-ndjson",
        "json": "application/json",
        "parquet": "application/vnd.apache.parquet",
        "zip": "application/zip",
    }
)
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "task": "int",
        "value": "float",
        "excluded": "bool",
        "surplus": "bool",
        "elapsed_ms": "int",
        "created_at": "time",
        "answer": "json",
        "shown": "json",
        "candidates": "texts",
    }
)
"""Column of the judgments -> its type in Parquet; all others are text."""

SCORE_FORMATS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        ".csv": ("scores", "csv"),
        ".jsonl": ("scores", "jsonl"),
        ".parquet": ("scores", "parquet"),
        ".zip": ("mt-metrics-eval", "zip"),
    }
)
"""Ending of a file of scores -> its part and format."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export file as an iterator over the parts of its content."""

    parts: Iterable[str | bytes]
    content_type: str


def export_file(study: Study, *, part: str, file_format: str, actor: Actor, now: datetime, system: str = "") -> Export:
    """Return a part of a study as a file, and record the download in the audit log.

    Args:
        part, file_format: A key of `FILES`.
        actor: The account that downloads it.
        system: Export only the candidates of this system.

    Raises:
        KeyError: There is no such file.
        CannotExport: The study has no data for this format, or no such system.
    """
    make = FILES[part, file_format]
    # Compared in Python: PostgreSQL rejects queries with a null character, which the address may contain.
    if system and system not in System.objects.filter(dataset=study.dataset_id).values_list("name", flat=True):
        raise CannotExport(f"Study {study.name} has no system {quote(system)}")
    parts = make(study, system)
    record_change(study, actor=actor, action=AuditAction.EXPORTED, now=now, details={"file": f"{part}.{file_format}"})
    return Export(parts, _TYPES[file_format])


def _write_judgment_lines(study: Study, _: str) -> Iterator[str]:
    return write_jsonl(tuple(JUDGMENT_COLUMNS[study.kind]), read_judgments(study))


def _write_judgment_parquet(study: Study, _: str) -> Iterator[bytes]:
    columns = {name: _KINDS.get(name, "text") for name in JUDGMENT_COLUMNS[study.kind]}
    return write_parquet(columns, read_judgments(study))


def _write_score_csv(study: Study, _: str) -> Iterator[str]:
    columns = load_columns(study)
    rows = ([_blank_undefined(value) for value in row] for row in read_rows(study, columns))
    return write_csv([*KEYS, *name_columns(columns)], rows)


def _blank_undefined(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value


def _write_score_lines(study: Study, _: str) -> Iterator[str]:
    columns = load_columns(study)
    return write_jsonl([*KEYS, *name_columns(columns)], read_rows(study, columns))


def _write_score_parquet(study: Study, _: str) -> Iterator[bytes]:
    columns = load_columns(study)
    types = {**dict.fromkeys(KEYS, "text"), **dict.fromkeys(name_columns(columns), "float")}
    return write_parquet(types, read_rows(study, columns))


FILES: Final[Mapping[tuple[str, str], Callable[[Study, str], Iterable[str | bytes]]]] = MappingProxyType(
    {
        ("judgments", "jsonl"): _write_judgment_lines,
        ("judgments", "parquet"): _write_judgment_parquet,
        ("scores", "csv"): _write_score_csv,
        ("scores", "jsonl"): _write_score_lines,
        ("scores", "parquet"): _write_score_parquet,
        ("candidates", "json"): lambda study, system: write_results(study, system=system),
        ("mt-metrics-eval", "zip"): lambda study, _: [write_mtme(study)],
    }
)
"""(part, format) -> its writer; judgments as CSV are in `studies.publishing.exports`."""
