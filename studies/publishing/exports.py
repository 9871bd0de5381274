"""Tables that researchers take home, written row by row so that a large study needs little memory."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeVar

from django.db.models import BooleanField, ExpressionWrapper

from correlation.csv_lines import write_csv
from studies.access.auditing import Actor, record_change
from studies.analysis.reporting import RECORD_COLUMNS
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
"""Kind of study -> heading of a column -> where it stands. The rater's pseudonym is all that is said of a person.

What `import_data table` reads has the name of its field there, so that ratings and pairs can be read again; a column
`other_candidate` would make ratings pairs, however empty.
"""


_LINES_AT_ONCE: Final = 500
_PAGES: Final = {"file": "judgments/"}
_READING_LASTS: Final = timedelta(hours=1)


def export_judgments(study: Study, *, actor: Actor, now: datetime, guards: bool = True) -> Iterator[str]:
    """Write down that judgments were taken home, and return what `write_judgments` yields."""
    record_change(study, actor=actor, action=AuditAction.EXPORTED, now=now, details={"file": "judgments.csv"})
    return write_judgments(study, guards=guards)


def record_reading(study: Study, *, actor: Actor, now: datetime) -> None:
    """Write down that judgments are read page by page: once an hour for who reads, however many pages.

    Not the first page alone, for a cursor that was kept (or made up) begins a walk at any row.
    """
    since = AuditEntry.objects.filter(study=study, action=AuditAction.EXPORTED, at__gt=now - _READING_LASTS)
    if not since.filter(actor=actor.user, interface=actor.interface, details=_PAGES).exists():
        record_change(study, actor=actor, action=AuditAction.EXPORTED, now=now, details=_PAGES)


def write_judgments(study: Study, *, guards: bool = True) -> Iterator[str]:
    """Yield the lines of a CSV file: one row a judgment of a main task, as they came; times in UTC.

    Judgments that are left out of the analysis are there too, with 1 under `excluded`, and surplus ones also under
    `surplus`. Without `guards` all text is as it was given, for programs; with it none is a formula to a spreadsheet
    (`correlation.csv_lines`).
    """
    rows = read_judgments(study)
    return write_csv(JUDGMENT_COLUMNS[study.kind], rows, guards=guards)


def read_judgments(study: Study) -> Iterator[Sequence[Any]]:
    """Yield the judgments of main tasks, in the columns of `JUDGMENT_COLUMNS`, few of them in memory at once."""
    columns = JUDGMENT_COLUMNS[study.kind]
    marks = {"excluded": IS_LEFT_OUT, "surplus": IS_SURPLUS}
    asked = {name: ExpressionWrapper(mark, output_field=BooleanField()) for name, mark in marks.items()}
    rows = select_given(study).annotate(**asked).order_by("pk").values_list(*columns.values())
    found = rows.iterator(chunk_size=2000)
    return _fill_sets(found, study) if study.kind == TaskKind.SET_RATING else found


def _fill_sets(rows: Iterable[Sequence[Any]], study: Study) -> Iterator[list[Any]]:
    """Put the texts of each caption set where its primary key stands."""
    place = list(JUDGMENT_COLUMNS[TaskKind.SET_RATING]).index("candidates")
    texts: dict[int, list[str]] = {}
    judged = Item.objects.filter(task__study=study).values("caption_set")
    candidates = Candidate.objects.filter(caption_set__in=judged).order_by("pk")
    for caption_set, text in candidates.values_list("caption_set", "text"):
        texts.setdefault(caption_set, []).append(text)
    for row in rows:
        yield [*row[:place], texts.get(row[place], []), *row[place + 1 :]]


def write_results_csv(results: StudyResults) -> Iterator[str]:
    """Yield the lines of a CSV file: one row a number, as in the results table; an undefined value is empty."""
    return write_csv(RECORD_COLUMNS, (record.values() for record in _list_records(results)))


def write_results_json(results: StudyResults) -> Iterator[str]:
    """Yield one JSON list with an object a number, as `correlate --json` prints it; an undefined value is null."""
    yield json.dumps(_list_records(results), ensure_ascii=False, indent=1)


def _list_records(results: StudyResults) -> list[dict[str, Any]]:
    return results.found.list_records() if results.found else []


def join_lines(lines: Iterable[T]) -> Iterator[T]:
    """Yield the same content in parts of some hundred lines: what is sent line by line takes longer than to write."""
    remaining = iter(lines)
    while batch := list(islice(remaining, _LINES_AT_ONCE)):
        yield batch[0][:0].join(batch)
