"""Export of judgments and results as tables, written row by row so that a large study needs little memory."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeVar

from django.db.models import BooleanField, ExpressionWrapper

from correlation.csv_lines import write_csv
from studies.access.audit import Actor, record_change
from studies.analysis.reports import RECORD_COLUMNS
from studies.analysis.results import StudyResults
from studies.enums import AuditAction, TaskKind
from studies.models import AuditEntry, Candidate, Item, Study
from studies.shared.counted import IS_LEFT_OUT, IS_SURPLUS, select_given

T = TypeVar("T", str, bytes)

_BEFORE: Final = {
    "study": "rater__study__name",
    "task": "item__task__position",
    "item": "item__key",
    "category": "item__category",
    "image": "item__image__key",
}
_CANDIDATE: Final = {
    "anchor": "item__anchor__text",
    "system": "item__candidate__system__name",
    "candidate": "item__candidate__text",
    "candidate_key": "item__candidate__key",
}
_OTHER_CANDIDATE: Final = {
    "other_system": "item__other_candidate__system__name",
    "other_candidate": "item__other_candidate__text",
    "other_candidate_key": "item__other_candidate__key",
}
_CAPTION_SET: Final = {
    "system": "item__caption_set__system__name",
    "candidates": "item__caption_set",
}
_AFTER: Final = {
    "rater": "rater__pseudonym",
    "excluded": "excluded",
    "surplus": "surplus",
    "value": "value",
    "answer": "answer",
    "shown": "assignment__shown",
    "elapsed_ms": "elapsed_ms",
    "created_at": "created_at",
}
_CAPTION: Final = {"caption": "answer__caption"}
JUDGMENT_COLUMNS: Final[Mapping[str, Mapping[str, str]]] = dict.fromkeys(TaskKind, _BEFORE | _CANDIDATE | _AFTER) | {
    TaskKind.PAIRWISE: _BEFORE | _CANDIDATE | _OTHER_CANDIDATE | _AFTER,
    TaskKind.SET_RATING: _BEFORE | _CAPTION_SET | _AFTER,
    TaskKind.CAPTION: _BEFORE | _CAPTION | _AFTER,
}
"""Kind of study -> column name -> the field that it is read from. A rater is identified only by pseudonym.

Columns that `import_data table` can read have the names of its fields, so that ratings and pairs can be imported
again. Ratings have no column `other_candidate`, since even an empty one would make them pairs.
"""


_LINES_AT_ONCE: Final = 500
_PAGES: Final = {"file": "judgments/"}
_READING_LASTS: Final = timedelta(hours=1)


def export_judgments(study: Study, *, actor: Actor, now: datetime, guards: bool = True) -> Iterator[str]:
    """Record the download of judgments in the audit log, and return the lines of `write_judgments`."""
    record_change(study, actor=actor, action=AuditAction.EXPORTED, now=now, details={"file": "judgments.csv"})
    return write_judgments(study, guards=guards)


def record_reading(study: Study, *, actor: Actor, now: datetime) -> None:
    """Record in the audit log that judgments are read page by page: once an hour per account.

    Recording only the first page would not be enough, since a stored or forged cursor can start at any row.
    """
    since = AuditEntry.objects.filter(study=study, action=AuditAction.EXPORTED, at__gt=now - _READING_LASTS)
    if not since.filter(actor=actor.user, interface=actor.interface, details=_PAGES).exists():
        record_change(study, actor=actor, action=AuditAction.EXPORTED, now=now, details=_PAGES)


def write_judgments(study: Study, *, guards: bool = True) -> Iterator[str]:
    """Yield the lines of a CSV file: one row per judgment of a main task, in the order of submission; times in UTC.

    Excluded judgments are included, with 1 under `excluded`, and surplus ones also have 1 under `surplus`. With
    `guards`, text that a spreadsheet would read as a formula is escaped (`correlation.csv_lines`); programs can ask for
    unchanged text without it.
    """
    rows = read_judgments(study)
    return write_csv(JUDGMENT_COLUMNS[study.kind], rows, guards=guards)


def read_judgments(study: Study) -> Iterator[Sequence[Any]]:
    """Yield the judgments of main tasks, in the columns of `JUDGMENT_COLUMNS`; only a few are in memory at once."""
    columns = JUDGMENT_COLUMNS[study.kind]
    marks = {"excluded": IS_LEFT_OUT, "surplus": IS_SURPLUS}
    asked = {name: ExpressionWrapper(mark, output_field=BooleanField()) for name, mark in marks.items()}
    rows = select_given(study).annotate(**asked).order_by("pk").values_list(*columns.values())
    found = rows.iterator(chunk_size=2000)
    return _fill_sets(found, study) if study.kind == TaskKind.SET_RATING else found


def _fill_sets(rows: Iterable[Sequence[Any]], study: Study) -> Iterator[list[Any]]:
    """Replace the primary keys of caption sets by their texts."""
    place = list(JUDGMENT_COLUMNS[TaskKind.SET_RATING]).index("candidates")
    texts: dict[int, list[str]] = {}
    judged = Item.objects.filter(task__study=study).values("caption_set")
    candidates = Candidate.objects.filter(caption_set__in=judged).order_by("pk")
    for caption_set, text in candidates.values_list("caption_set", "text"):
        texts.setdefault(caption_set, []).append(text)
    for row in rows:
        yield [*row[:place], texts.get(row[place], []), *row[place + 1 :]]


def write_results_csv(results: StudyResults) -> Iterator[str]:
    """Yield the lines of a CSV file: one row per value, as in the results table; undefined values are empty."""
    return write_csv(RECORD_COLUMNS, (record.values() for record in _list_records(results)))


def write_results_json(results: StudyResults) -> Iterator[str]:
    """Yield a JSON list with one object per value, as printed by `correlate --json`; undefined values are null."""
    yield json.dumps(_list_records(results), ensure_ascii=False, indent=1)


def _list_records(results: StudyResults) -> list[dict[str, Any]]:
    return results.found.list_records() if results.found else []


def join_lines(lines: Iterable[T]) -> Iterator[T]:
    """Yield the same content in chunks of some hundred lines, since sending single lines is slow."""
    remaining = iter(lines)
    while batch := list(islice(remaining, _LINES_AT_ONCE)):
        yield batch[0][:0].join(batch)
