"""Finds the references of the images and captions of a table of judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from studies.datasets.importing.files.json_tables import read_any_records
from studies.datasets.importing.files.table_files import ENDINGS, Table
from studies.datasets.importing.published.caption_files import is_piped
from studies.datasets.importing.published.fense import choose_references
from studies.datasets.importing.records import ReferenceSetRecord
from studies.datasets.importing.reference_lists import list_others
from studies.datasets.importing.tables.columns import Columns
from studies.datasets.importing.tables.references import (
    is_coco,
    is_lines,
    match_images,
    read_reference_columns,
    read_reference_files,
)
from studies.datasets.importing.tables.row_references import (
    Alternatives,
    assign_item_references,
    collect_item_references,
    is_by_item,
)
from studies.datasets.importing.tables.rows import Collection
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import SourceFile

FIRST: Final = "first"
"""The name of the reference set with the first reference of each row."""
_FENSE_CATEGORIES: Final = ("HC", "HI", "HM", "MM")


@dataclass(frozen=True, slots=True)
class FoundReferences:
    """The references by image, and by candidate key those of a caption alone, in alternatives."""

    by_image: dict[str, list[str]]
    by_candidate: dict[str, Alternatives]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DroppedCaptions:
    """How many references were removed, being captions of some systems, and how many captions were not found."""

    n_references: int
    n_captions: int
    n_missing: int


def find_references(
    table: Table, columns: Columns, collection: Collection, *, files: Sequence[SourceFile]
) -> FoundReferences:
    """Return the references in the columns of a table, or in files.

    Raises ImportFailed if they are in both, or the files have none for an image.
    """
    own = read_reference_columns(table, columns)
    chosen: dict[str, Alternatives] = {key: (texts,) for key, texts in collection.row_references.items()}
    if not files:
        return FoundReferences(own, chosen)
    if columns.has("reference"):
        raise ImportFailed("--references", "cannot be given together with columns of references")
    by_item = None if is_coco(files[0]) or is_lines(files[0]) else _read_by_item(files[0])
    if by_item is not None:
        if not columns.has("item"):
            raise ImportFailed("--references", f"has references by item, and {table.name} has no column item")
        if chosen:
            raise ImportFailed("--references", "has references by item, and the table has row_reference")
        items = collection.items.values()
        given = assign_item_references(collect_item_references(by_item), items, name=files[0].name)
        return FoundReferences(own, given)
    read, notes = read_reference_files(files)
    matched = match_images(own, read)
    names = ", ".join(file.name for file in files)
    for record in table.records:
        image = columns.read_image(record)
        if image not in matched:
            _, location = columns.find(record, "image")
            raise ImportFailed(location, f"must be an image with captions in {names}", got=Unquoted(image))
    return FoundReferences({image: list(matched[image]) for image in own}, chosen, notes)


def _read_by_item(file: SourceFile) -> Table | None:
    if is_piped(file) or not file.name.lower().endswith(ENDINGS):
        return None
    table = read_any_records(file)
    return table if is_by_item(table) else None


def drop_captions(
    references: dict[str, list[str]], collection: Collection, *, systems: Sequence[str]
) -> DroppedCaptions:
    """Remove the captions of some systems from the references of their images; return how many were removed."""
    n_dropped = n_captions = n_missing = 0
    for candidate in {(each.image, each.text): each for each in collection.candidates.values()}.values():
        if candidate.system in systems:
            own = references[candidate.image]
            kept = [own[place] for place in list_others(candidate.text, own)]
            n_captions += 1
            n_missing += len(own) == len(kept)
            n_dropped += len(own) - len(kept)
            references[candidate.image] = kept
    return DroppedCaptions(n_dropped, n_captions=n_captions, n_missing=n_missing)


def describe_dropped(dropped: DroppedCaptions, *, systems: Sequence[str]) -> tuple[str, ...]:
    """Return what is to be known of removed references, and of captions that were not among the references."""
    names = ", ".join(systems)
    notes = []
    if dropped.n_references:
        references = "reference was" if dropped.n_references == 1 else "references were"
        notes.append(f"{dropped.n_references:,} {references} left out, being judged captions of {names}")
    if dropped.n_missing:
        counts = f"{dropped.n_missing:,} of {dropped.n_captions:,} captions"
        notes.append(f"{counts} of {names} were not found among the references of their images")
    return tuple(notes)


def take_first(reference_set: ReferenceSetRecord) -> ReferenceSetRecord:
    """Return the set with the first reference of each caption alone."""
    choices = {
        key: [positions[:1] for positions in alternatives] for key, alternatives in reference_set.choices.items()
    }
    return replace(reference_set, name=FIRST, choices=choices)


def choose_as_fense(collection: Collection, references: Mapping[str, Sequence[str]]) -> dict[str, Alternatives]:
    """Return the references that fense@1 gives the captions of pairs whose references are known by image alone."""
    texts = {candidate.key: candidate.text for candidate in collection.candidates.values()}
    chosen: dict[str, Alternatives] = {}
    for item in collection.items.values():
        pair, own = item.record, references[item.record.image]
        if pair.other_candidate is None or pair.category not in _FENSE_CATEGORIES:
            rule = f"must be one of {', '.join(_FENSE_CATEGORIES)} for fense@1"
            raise ImportFailed(item.location.at("category"), rule, got=pair.category)
        both = choose_references(pair.category, (texts[pair.candidate], texts[pair.other_candidate]), own)
        for key, alternatives in zip((pair.candidate, pair.other_candidate), both, strict=True):
            made = tuple(tuple(own[place] for place in places) for places in alternatives)
            if chosen.setdefault(key, made) != made:
                rule = "is in two pairs with different references; pairs need an id each, in the column item"
                raise ImportFailed(item.location, rule, got=texts[key])
    return chosen
