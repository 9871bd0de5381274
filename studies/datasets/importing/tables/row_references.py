"""References that belong to a row or an item of a table alone, as a reference set of its captions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.records import SHIPPED, CandidateRecord, ReferenceSetRecord
from studies.datasets.importing.reference_lists import place_texts
from studies.datasets.importing.tables.columns import read_cell
from studies.datasets.importing.tables.references import find_columns_of_text
from studies.datasets.importing.tables.rows import CollectedItem
from studies.datasets.importing.values import read_key
from studies.shared.errors import ImportFailed, Unquoted

ITEM: Final = "item"
SIDES: Final = ("candidate", "other_candidate")

Alternatives = tuple[tuple[str, ...], ...]


def is_by_item(table: Table) -> bool:
    """Whether a table of references has those of items, and not of images."""
    return ITEM in table.columns and "image" not in table.columns


def collect_item_references(table: Table) -> dict[tuple[str, str], Alternatives]:
    """Return the references of each item and side, in alternatives.

    A row has an `item` and one reference or more of it, as `collect_references` reads them. `side` says for which
    caption of a pair they are (`candidate` or `other_candidate`; without it for both). Rows of the same `set` are
    references that are used together; the score of a caption with several sets is its mean over them.
    """
    columns = find_columns_of_text(table.columns)
    if not columns:
        rule = "must have the columns item and reference (or several: reference_1, reference_2)"
        raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for record in table.records:
        item, sides, name = _read_owner(record)
        texts = [text for column in columns for text in read_cell(record, column)]
        for side in sides:
            found.setdefault((item, side), {}).setdefault(name, []).extend(texts)
    return {owner: tuple(map(tuple, sets.values())) for owner, sets in found.items()}


def assign_item_references(
    given: Mapping[tuple[str, str], Alternatives], items: Iterable[CollectedItem], *, name: str
) -> dict[str, Alternatives]:
    """Return by candidate key the alternatives that a file gives its item and side.

    Raises ImportFailed for an item that the file `name` does not have.
    """
    chosen: dict[str, Alternatives] = {}
    for item in items:
        for side, candidate in zip(SIDES, (item.record.candidate, item.record.other_candidate), strict=True):
            if candidate is None:
                continue
            owner = (str(item.item_id), side)
            if owner not in given:
                raise ImportFailed(item.location.at(ITEM), f"must be an item with references in {name}", got=owner[0])
            chosen[candidate] = given[owner]
    return chosen


def build_row_set(
    chosen: Mapping[str, Alternatives], candidates: Iterable[CandidateRecord], references: dict[str, list[str]]
) -> ReferenceSetRecord:
    """Return the set of these references, after adding to `references` (by image) those that an image has not.

    Of equal texts, the second one is another reference.
    """
    image_of = {candidate.key: candidate.image for candidate in candidates}
    return ReferenceSetRecord(
        SHIPPED,
        {
            key: [place_texts(texts, references[image_of[key]]) for texts in alternatives]
            for key, alternatives in chosen.items()
        },
    )


def _read_owner(record: Record) -> tuple[str, Sequence[str], str]:
    """Return the item of a row, its sides, and the name of its set."""
    if record.values.get(ITEM) is None:
        raise ImportFailed(record.location.at(ITEM), "must not be empty")
    item = read_key(record.values[ITEM], record.location.at(ITEM), longest=190)
    side, name = record.values.get("side"), record.values.get("set")
    if side is not None and side not in SIDES:
        raise ImportFailed(record.location.at("side"), f"must be one of {', '.join(SIDES)}, or empty", got=side)
    return item, SIDES if side is None else (str(side),), "" if name is None else str(name)
