"""Groups the rows of a table of judgments into candidates, items and judgments."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.records import CandidateRecord, ItemRecord
from studies.datasets.importing.tables.columns import Columns
from studies.datasets.importing.values import read_key
from studies.shared.errors import ImportFailed, SourceLocation

UNKNOWN: Final = "unknown"
_HINT: Final = "items that look the same need an id each, in the column item"

Texts = tuple[str, ...]


@dataclass(slots=True)
class CollectedItem:
    """One item while its rows are collected; `item_id` is its id in the table, None without such a column."""

    record: ItemRecord
    location: SourceLocation
    anchor: str | None = None
    item_id: str | None = None
    judgments: dict[str, tuple[float, SourceLocation]] = field(default_factory=dict)


@dataclass(slots=True)
class Collection:
    """What the rows read so far have in them.

    Attributes:
        candidates: By image, system, text, item id and own references.
        items: By item id, or by the captions and the anchor; and by criterion.
        criteria: The criteria of the judgments, in order; empty if they have none.
        row_references: By candidate key the references of its rows alone.
        scores: By metric and candidate key, the scores that the rows give.
        merged: The rows without a rater that are further votes on an item of an earlier row.
    """

    candidates: dict[tuple[str, str, str, str | None, Texts], CandidateRecord] = field(default_factory=dict)
    items: dict[tuple[object, ...], CollectedItem] = field(default_factory=dict)
    pseudonyms: dict[str, str] = field(default_factory=dict)
    criteria: dict[str, None] = field(default_factory=dict)
    row_references: dict[str, Texts] = field(default_factory=dict)
    scores: dict[str, dict[str, tuple[float, SourceLocation]]] = field(default_factory=dict)
    merged: int = 0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a row shows: image, candidates by key, anchor and item id."""

    image: str
    candidate: str
    other: str | None
    anchor: str | None
    item_id: str | None
    category: str
    number: int

    @property
    def key(self) -> tuple[object, ...]:
        return (self.item_id,) if self.item_id is not None else (self.candidate, self.other, self.anchor)

    @property
    def name(self) -> str:
        return f"row-{self.number}" if self.item_id is None else self.item_id


def collect_rows(table: Table, columns: Columns, *, allowed: Sequence[float]) -> Collection:
    """Group the rows; `allowed` are the allowed values of judgments, empty for any.

    Raises ImportFailed for a value that is not allowed, a second judgment by a rater, an item with two categories, or
    two rows of one item id that show different things.
    """
    collection = Collection(criteria=dict.fromkeys(columns.criteria))
    for number, record in enumerate(table.records, start=1):
        shown = _read_shown(collection, record, columns, number=number)
        for criterion, value in _read_values(record, columns, allowed=allowed):
            if criterion:
                collection.criteria.setdefault(criterion)
            item, is_swapped = _find_item(collection, shown, record, columns, criterion=criterion)
            # Plain zero also where nothing is preferred.
            _add_judgment(collection, item, record, columns, value=(-value or 0.0) if is_swapped else value)
        _add_scores(collection, record, columns, candidate=shown.candidate)
    return collection


def _read_values(record: Record, columns: Columns, *, allowed: Sequence[float]) -> list[tuple[str, float]]:
    """Return criterion ("" without any) and value of each judgment in a row."""
    found = columns.read_numbers(record, "value")
    if not found:
        raise ImportFailed(record.location.at(columns.by_field["value"][0]), "must not be empty")
    for value, location in found.values():
        if allowed and value not in allowed:
            raise ImportFailed(
                location, f"must be one of {', '.join(f'{step:g}' for step in allowed)}", got=f"{value:g}"
            )
    if columns.has("criterion"):
        own = columns.read_key(record, "criterion", longest=50)
        return [(own, value) for value, _ in found.values()]
    names = {column: read_key(column, record.location, longest=50) if columns.criteria else "" for column in found}
    return [(names[column], value) for column, (value, _) in found.items()]


def _read_shown(collection: Collection, record: Record, columns: Columns, *, number: int) -> _Shown:
    image = columns.read_image(record)
    item_id = columns.read_key(record, "item", longest=190) if columns.has("item") else None
    own = columns.read_texts(record, "row_reference")
    candidate = _find_candidate(
        collection, record, columns, image=image, side="", key=f"row-{number}", item_id=item_id, references=own
    )
    other = None
    if columns.has("other_candidate"):
        others = columns.read_texts(record, "other_row_reference") or own
        key = f"row-{number}-other"
        other = _find_candidate(
            collection, record, columns, image=image, side="other_", key=key, item_id=item_id, references=others
        )
    category = columns.read_key(record, "category", longest=50, default="")
    anchor = columns.read_text(record, "anchor") if columns.find(record, "anchor")[0] is not None else None
    return _Shown(image, candidate, other, anchor, item_id, category, number)


def _find_item(
    collection: Collection, shown: _Shown, record: Record, columns: Columns, *, criterion: str
) -> tuple[CollectedItem, bool]:
    """Return the item of a row and criterion, and whether the row has the captions of the pair the other way round."""
    swapped = (shown.other, shown.candidate, shown.anchor)
    is_swapped = False
    if shown.other is not None and shown.other != shown.candidate:
        # Tables of shown pairs have each side first in turn, yet it is one pair that raters judge.
        first = collection.items.get((*shown.key, criterion))
        is_swapped = (
            (*swapped, criterion) in collection.items
            if shown.item_id is None
            else first is not None and (first.record.candidate, first.record.other_candidate) == swapped[:2]
        )
    candidate, other = swapped[:2] if is_swapped else (shown.candidate, shown.other)
    key = (*swapped, criterion) if is_swapped and shown.item_id is None else (*shown.key, criterion)
    name = f"{shown.name}:{criterion}" if criterion else shown.name
    item_record = ItemRecord(name, shown.image, str(candidate), other, criterion or shown.category)
    new = CollectedItem(item_record, record.location, shown.anchor, shown.item_id)
    item = collection.items.setdefault(key, new)
    known = item.record
    if known.category != item_record.category:
        rule = f"must be the category that {item.location.record} gives the same item ({known.category!r})"
        raise ImportFailed(columns.find(record, "category")[1], rule, got=item_record.category)
    same = (known.image, known.candidate, known.other_candidate, item.anchor)
    if same != (item_record.image, item_record.candidate, item_record.other_candidate, shown.anchor):
        rule = f"must be shown with the image, systems, captions, anchor and references of {item.location.record}"
        raise ImportFailed(columns.find(record, "item")[1], rule, got=shown.item_id)
    return item, is_swapped


def _find_candidate(
    collection: Collection,
    record: Record,
    columns: Columns,
    *,
    image: str,
    side: str,
    key: str,
    item_id: str | None,
    references: Texts,
) -> str:
    default = None if columns.are_of_systems else UNKNOWN
    system = columns.read_key(record, f"{side}system", longest=100, default=default)
    text = "" if columns.are_of_systems else columns.read_text(record, f"{side}candidate")
    new = CandidateRecord(key, image, system, text)
    found = collection.candidates.setdefault((image, system, text, item_id, references), new).key
    if references:
        collection.row_references[found] = references
    return found


def _add_judgment(
    collection: Collection, item: CollectedItem, record: Record, columns: Columns, *, value: float
) -> None:
    rater = _find_rater(collection, item, record, columns)
    if rater in item.judgments:
        first = item.judgments[rater][1].record
        raise ImportFailed(record.location, f"is a second judgment of the item and rater of {first}; {_HINT}")
    if item.judgments and not columns.has("rater") and item.item_id is None:
        collection.merged += 1
    item.judgments[rater] = (value, record.location)


def _find_rater(collection: Collection, item: CollectedItem, record: Record, columns: Columns) -> str:
    if not columns.has("rater"):
        return f"vote-{len(item.judgments) + 1}"
    known = columns.read_key(record, "rater", longest=1_000)
    return collection.pseudonyms.setdefault(known, f"rater-{len(collection.pseudonyms) + 1}")


def _add_scores(collection: Collection, record: Record, columns: Columns, *, candidate: str) -> None:
    for metric, (value, location) in columns.read_numbers(record, "metric_score").items():
        known, first = collection.scores.setdefault(metric, {}).setdefault(candidate, (value, location))
        if known != value:
            rule = f"must be the score that {first.record} gives the same caption ({known:g})"
            raise ImportFailed(location, rule, got=f"{value:g}")


def describe_merged(collection: Collection) -> tuple[str, ...]:
    """Return a warning where rows without raters were taken as votes on one item; nothing where none were."""
    if not collection.merged:
        return ()
    n_items = sum(len(item.judgments) > 1 for item in collection.items.values())
    rows = f"{collection.merged:,} row{'s' if collection.merged > 1 else ''}"
    items = f"{n_items:,} item{'s' if n_items > 1 else ''}"
    return (
        f"warning: {rows} without a rater were taken as further votes on {items} of the same image, system and "
        f"caption; {_HINT}",
    )
