"""The rows of a table of judgments, gathered into candidates, items and judgments."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.records import CandidateRecord, ItemRecord
from studies.datasets.importing.tables.columns import Columns
from studies.shared.errors import ImportFailed, SourceLocation

UNKNOWN: Final = "unknown"


@dataclass(slots=True)
class CollectedItem:
    """One item while its rows are collected."""

    record: ItemRecord
    location: SourceLocation
    anchor: str | None = None
    judgments: dict[str, tuple[float, SourceLocation]] = field(default_factory=dict)


@dataclass(slots=True)
class Collection:
    """What the rows read so far have in them."""

    candidates: dict[tuple[str, str, str], CandidateRecord] = field(default_factory=dict)
    items: dict[tuple[str, str | None, str | None], CollectedItem] = field(default_factory=dict)
    pseudonyms: dict[str, str] = field(default_factory=dict)


def collect_rows(table: Table, columns: Columns, *, allowed: Sequence[float]) -> Collection:
    """Gather the rows; `allowed` are the values that judgments may have, empty for any.

    Raises ImportFailed for a value that is not allowed, a second judgment by a rater, or an item with two categories.
    """
    collection = Collection()
    for number, record in enumerate(table.records, start=1):
        item, is_swapped = _find_item(collection, record, columns, number=number)
        value, location = columns.read_number(record, "value")
        if allowed and value not in allowed:
            raise ImportFailed(
                location, f"must be one of {', '.join(f'{step:g}' for step in allowed)}", got=f"{value:g}"
            )
        if is_swapped:
            # Plain zero also where nothing is preferred.
            value = -value or 0.0
        rater = _find_rater(collection, item, record, columns)
        if rater in item.judgments:
            first = item.judgments[rater][1].record
            raise ImportFailed(record.location, f"is a second judgment of the item and rater of {first}")
        item.judgments[rater] = (value, record.location)
    return collection


def _find_item(collection: Collection, record: Record, columns: Columns, *, number: int) -> tuple[CollectedItem, bool]:
    """Return the item of a row, and whether the row has the captions of the pair the other way round."""
    image = columns.read_key(record, "image", longest=200)
    candidate = _find_candidate(collection, record, columns, image=image, side="", key=f"row-{number}")
    other = None
    if columns.has("other_candidate"):
        other = _find_candidate(collection, record, columns, image=image, side="other_", key=f"row-{number}-other")
    category = columns.read_key(record, "category", longest=50, default="")
    anchor = columns.read_text(record, "anchor") if columns.find(record, "anchor")[0] is not None else None
    # Tables of shown pairs have each side first in turn, yet it is one pair that raters judge.
    is_swapped = other is not None and other != candidate and (other, candidate, anchor) in collection.items
    if is_swapped and other is not None:
        candidate, other = other, candidate
    new = CollectedItem(ItemRecord(f"row-{number}", image, candidate, other, category), record.location, anchor)
    item = collection.items.setdefault((candidate, other, anchor), new)
    if item.record.category != category:
        rule = f"must be the category that {item.location.record} gives the same item ({item.record.category!r})"
        raise ImportFailed(columns.find(record, "category")[1], rule, got=category)
    return item, is_swapped


def _find_candidate(
    collection: Collection, record: Record, columns: Columns, *, image: str, side: str, key: str
) -> str:
    system = columns.read_key(record, f"{side}system", longest=100, default=UNKNOWN)
    text = columns.read_text(record, f"{side}candidate")
    new = CandidateRecord(key, image, system, text)
    return collection.candidates.setdefault((image, system, text), new).key


def _find_rater(collection: Collection, item: CollectedItem, record: Record, columns: Columns) -> str:
    if not columns.has("rater"):
        return f"vote-{len(item.judgments) + 1}"
    known = columns.read_key(record, "rater", longest=1_000)
    return collection.pseudonyms.setdefault(known, f"rater-{len(collection.pseudonyms) + 1}")
