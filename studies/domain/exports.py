"""Tables that researchers take home, written row by row so that a large study needs no memory."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from typing import Any, Final

from studies.domain.analysis import ResultRow
from studies.domain.results import StudyResults
from studies.domain.scatter import ScatterPoints
from studies.models import Judgment, Study

JUDGMENT_COLUMNS: Final = {
    "study": "rater__study__name",
    "task": "item__task__position",
    "item": "item__key",
    "category": "item__category",
    "image": "item__image__key",
    "candidate": "item__candidate__key",
    "other_candidate": "item__other_candidate__key",
    "caption_set_system": "item__caption_set__system__name",
    "rater": "rater__pseudonym",
    "value": "value",
    "answer": "answer",
    "shown": "assignment__shown",
    "elapsed_ms": "elapsed_ms",
    "created_at": "created_at",
}
"""Heading of a column -> where it stands. The rater's pseudonym is all that is said of a person."""


RESULT_COLUMNS: Final = tuple(field.name for field in fields(ResultRow))


class _Echo:
    def write(self, text: str) -> str:
        return text


def write_judgments(study: Study) -> Iterator[str]:
    """Yield the lines of a CSV file: one row a judgment, in the order in which they came; times in UTC."""
    rows = Judgment.objects.filter(rater__study=study).order_by("pk").values_list(*JUDGMENT_COLUMNS.values())
    return write_csv(JUDGMENT_COLUMNS, rows.iterator(chunk_size=2000))


def write_results_csv(results: StudyResults) -> Iterator[str]:
    """Yield the lines of a CSV file: one row a number, as in the results table; an undefined value is empty."""
    return write_csv(RESULT_COLUMNS, (asdict(row).values() for row in results.rows))


def write_results_json(results: StudyResults) -> Iterator[str]:
    """Yield one JSON list with an object a number, as `correlate --json` prints it; an undefined value is null."""
    yield json.dumps([asdict(row) for row in results.rows], ensure_ascii=False, indent=1)


def write_points(points: ScatterPoints) -> Iterator[str]:
    """Yield the lines of a CSV file: the points of a scatter plot."""
    rows = zip(points.items.tolist(), points.judgments.tolist(), points.scores.tolist(), strict=True)
    return write_csv(("item", "judgment", "score"), rows)


def write_csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file; a missing value is empty, a list or an object is JSON, a float is exact."""
    writer = csv.writer(_Echo())
    yield writer.writerow(header)
    for row in rows:
        yield writer.writerow([_print_cell(value) for value in row])


def _print_cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value.isoformat() if hasattr(value, "isoformat") else value
