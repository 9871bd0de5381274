"""A table of judgments: one row for each answer, in columns of any names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from studies.domain.design import ScalePoint, StudyDesign
from studies.domain.importing.errors import ImportFailed, Place, Unquoted
from studies.domain.importing.files import SourceFile, digest_files, read_file
from studies.domain.importing.options import ImportOptions
from studies.domain.importing.records import (
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    StudyRecord,
    SystemRecord,
    name_votes,
)
from studies.domain.importing.table_columns import Columns, match_columns, parse_scale
from studies.domain.importing.table_files import Record, Table, read_records
from studies.domain.importing.table_references import read_reference_columns, read_reference_file
from studies.enums import TaskKind

_UNKNOWN: Final = "unknown"
_PREFERENCES: Final = (-1.0, 0.0, 1.0)


@dataclass(slots=True)
class _Item:
    """One item while its rows are collected."""

    record: ItemRecord
    place: Place
    judgments: dict[str, tuple[float, Place]] = field(default_factory=dict)


@dataclass(slots=True)
class _Collection:
    """What the rows read so far have in them."""

    candidates: dict[tuple[str, str, str], CandidateRecord] = field(default_factory=dict)
    items: dict[tuple[str, str | None], _Item] = field(default_factory=dict)
    pseudonyms: dict[str, str] = field(default_factory=dict)


def read_table(options: ImportOptions) -> DatasetRecord:
    """Read judgments from a CSV, JSON Lines or Parquet file.

    Rows with the same image, systems and captions are one item. Raters become `rater-1`, `rater-2`, ... in the order
    in which they appear, so that no participant's id gets in; without a rater column `vote-N` stands for an item's
    Nth row. Two captions in a row make a pairwise study, in which the value is 1 for `candidate`, -1 for
    `other_candidate` and 0 for no preference.
    """
    files = [read_file(path) for path in (options.source, options.references) if path is not None]
    table = read_records(files[0])
    columns = match_columns(options.column, table=table)
    is_pairwise = columns.has("other_candidate")
    if is_pairwise and options.scale:
        raise ImportFailed("--scale", "is for ratings, and this table has pairs (other_candidate)")
    scale = parse_scale(options.scale) if options.scale else ()
    collection = _collect(table, columns, allowed=_PREFERENCES if is_pairwise else scale)
    references = _find_references(options, table, columns, files=files)
    name = options.study or re.sub(r"[^a-zA-Z0-9_-]+", "-", files[0].name.rpartition(".")[0]).strip("-")[:90] or "table"
    study = StudyRecord(
        name=name,
        title=name,
        kind=TaskKind.PAIRWISE if is_pairwise else TaskKind.RATING,
        protocol=_check_protocol(options.protocol, is_pairwise=is_pairwise),
        design=_build_design(collection, scale, is_pairwise=is_pairwise),
        raters=_name_raters(collection, columns),
        are_placeholders=not columns.has("rater"),
        items=[_finish(item) for item in collection.items.values()],
        rows_read=len(table.records),
    )
    systems = dict.fromkeys(candidate.system for candidate in collection.candidates.values())
    return DatasetRecord(
        name=name,
        title=name,
        source=files[0].name,
        digest=digest_files(files),
        references=references,
        systems=[SystemRecord(system) for system in systems],
        candidates=list(collection.candidates.values()),
        studies=[study],
    )


def _collect(table: Table, columns: Columns, *, allowed: Sequence[float]) -> _Collection:
    collection = _Collection()
    for number, record in enumerate(table.records, start=1):
        item = _find_item(collection, record, columns, number=number)
        value, place = columns.read_number(record, "value")
        if allowed and value not in allowed:
            raise ImportFailed(place, f"must be one of {', '.join(f'{step:g}' for step in allowed)}", got=f"{value:g}")
        rater = _find_rater(collection, item, record, columns)
        if rater in item.judgments:
            first = item.judgments[rater][1].record
            raise ImportFailed(record.place, f"is a second judgment of the item and rater of {first}")
        item.judgments[rater] = (value, record.place)
    return collection


def _find_item(collection: _Collection, record: Record, columns: Columns, *, number: int) -> _Item:
    image = columns.read_key(record, "image", longest=200)
    candidate = _find_candidate(collection, record, columns, image=image, side="", key=f"row-{number}")
    other = None
    if columns.has("other_candidate"):
        other = _find_candidate(collection, record, columns, image=image, side="other_", key=f"row-{number}-other")
    category = columns.read_key(record, "category", longest=50, default="")
    item = collection.items.setdefault(
        (candidate, other), _Item(ItemRecord(f"row-{number}", image, candidate, other, category), record.place)
    )
    if item.record.category != category:
        rule = f"must be the category that {item.place.record} gives the same item ({item.record.category!r})"
        raise ImportFailed(columns.find(record, "category")[1], rule, got=category)
    return item


def _find_candidate(
    collection: _Collection, record: Record, columns: Columns, *, image: str, side: str, key: str
) -> str:
    system = columns.read_key(record, f"{side}system", longest=100, default=_UNKNOWN)
    text = columns.read_text(record, f"{side}candidate")
    new = CandidateRecord(key, image, system, text)
    return collection.candidates.setdefault((image, system, text), new).key


def _find_rater(collection: _Collection, item: _Item, record: Record, columns: Columns) -> str:
    if not columns.has("rater"):
        return f"vote-{len(item.judgments) + 1}"
    known = columns.read_key(record, "rater", longest=1_000)
    return collection.pseudonyms.setdefault(known, f"rater-{len(collection.pseudonyms) + 1}")


def _name_raters(collection: _Collection, columns: Columns) -> tuple[str, ...]:
    if columns.has("rater"):
        return tuple(collection.pseudonyms.values())
    return name_votes(max(len(item.judgments) for item in collection.items.values()))


def _finish(item: _Item) -> ItemRecord:
    made = item.record
    judgments = tuple(JudgmentRecord(rater, value) for rater, (value, _) in item.judgments.items())
    return ItemRecord(made.key, made.image, made.candidate, made.other_candidate, made.category, judgments)


def _build_design(collection: _Collection, scale: Sequence[float], *, is_pairwise: bool) -> StudyDesign:
    items = collection.items.values()
    values = {value for item in items for value, _ in item.judgments.values()}
    return StudyDesign(
        question="Which caption is better?" if is_pairwise else "How good is the caption?",
        scale=tuple(ScalePoint(value, f"{value:g}") for value in scale),
        allows_no_preference=is_pairwise and 0.0 in values,
        raters_per_task=max(len(item.judgments) for item in items),
    )


def _find_references(
    options: ImportOptions, table: Table, columns: Columns, *, files: Sequence[SourceFile]
) -> dict[str, list[str]]:
    own = read_reference_columns(table, columns)
    if options.references is None:
        return own
    if columns.has("reference"):
        raise ImportFailed("--references", "cannot be given together with columns of references")
    given = read_reference_file(files[1])
    for record in table.records:
        image, place = columns.find(record, "image")
        if str(image) not in given:
            raise ImportFailed(place, f"must be an image with captions in {files[1].name}", got=Unquoted(image))
    return {image: given[image] for image in own}


def _check_protocol(name: str | None, *, is_pairwise: bool) -> str:
    if name is None or name.partition("@")[0] == "custom":
        return "custom@1"
    from correlation.errors import UnknownNameError
    from correlation.protocols import get_protocol

    try:
        protocol = get_protocol(name)
    except UnknownNameError as error:
        raise ImportFailed("--protocol", str(error)) from error
    if protocol.is_pairwise != is_pairwise:
        rule = f"must be a protocol for {'pairs' if is_pairwise else 'ratings'}"
        raise ImportFailed("--protocol", rule, got=name)
    return protocol.reference
