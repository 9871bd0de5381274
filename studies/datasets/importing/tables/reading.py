"""A table of judgments: one row for each answer, in columns of any names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from studies.datasets.importing.files.table_files import Table, read_records
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import (
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    StudyRecord,
    SystemRecord,
    name_votes,
)
from studies.datasets.importing.tables.columns import Columns, match_columns, parse_scale
from studies.datasets.importing.tables.references import add_anchors, read_reference_columns, read_reference_file
from studies.datasets.importing.tables.rows import CollectedItem, Collection, collect_rows
from studies.design.design import ScalePoint, StudyDesign
from studies.design.protocols import STARTING_PROTOCOLS, ProtocolUnknown, explain_misfit, read_protocol
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import SourceFile, digest_files, read_file

_PREFERENCES: Final = (-1.0, 0.0, 1.0)


def read_table(options: ImportOptions) -> DatasetRecord:
    """Read judgments from a CSV, JSON Lines or Parquet file.

    Rows with the same image, systems, captions and anchor are one item. Raters become `rater-1`, `rater-2`, ... in the
    order in which they appear, so that no participant's id gets in; without a rater column `vote-N` stands for an
    item's Nth row. Two captions in a row make a pairwise study, in which the value is 1 for `candidate`, -1 for
    `other_candidate` and 0 for no preference; a row that has the captions the other way round belongs to the same item.
    Without a protocol the study gets the one that `STARTING_PROTOCOLS` has for its kind.
    """
    files = [read_file(path) for path in (options.source, options.references) if path is not None]
    table = read_records(files[0])
    columns = match_columns(options.column, table=table)
    is_pairwise = columns.has("other_candidate")
    if is_pairwise and options.scale:
        raise ImportFailed("--scale", "is for ratings, and this table has pairs (other_candidate)")
    scale = parse_scale(options.scale) if options.scale else ()
    collection = collect_rows(table, columns, allowed=_PREFERENCES if is_pairwise else scale)
    given = _find_references(options, table, columns, files=files)
    references = add_anchors(given, collection.items.values())
    name = options.study or re.sub(r"[^a-zA-Z0-9_-]+", "-", files[0].name.rpartition(".")[0]).strip("-")[:90] or "table"
    kind = TaskKind.PAIRWISE if is_pairwise else TaskKind.RATING
    study = StudyRecord(
        name=name,
        title=name,
        kind=kind,
        protocol=_choose_protocol(options.protocol, kind=kind),
        design=_build_design(collection, scale, is_pairwise=is_pairwise),
        raters=_name_raters(collection, columns),
        are_placeholders=not columns.has("rater"),
        items=[_finish(item, references) for item in collection.items.values()],
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


def _name_raters(collection: Collection, columns: Columns) -> tuple[str, ...]:
    if columns.has("rater"):
        return tuple(collection.pseudonyms.values())
    return name_votes(max(len(item.judgments) for item in collection.items.values()))


def _finish(item: CollectedItem, references: Mapping[str, Sequence[str]]) -> ItemRecord:
    judgments = tuple(JudgmentRecord(rater, value) for rater, (value, _) in item.judgments.items())
    anchor = None if item.anchor is None else references[item.record.image].index(item.anchor)
    return replace(item.record, judgments=judgments, anchor=anchor)


def _build_design(collection: Collection, scale: Sequence[float], *, is_pairwise: bool) -> StudyDesign:
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
        image, location = columns.find(record, "image")
        if str(image) not in given:
            raise ImportFailed(location, f"must be an image with captions in {files[1].name}", got=Unquoted(image))
    return {image: given[image] for image in own}


def _choose_protocol(name: str | None, *, kind: TaskKind) -> str:
    if name is None:
        return STARTING_PROTOCOLS[kind]
    try:
        protocol = read_protocol(name)
    except ProtocolUnknown as error:
        raise ImportFailed("--protocol", str(error).removeprefix(f"protocol {name}: ")) from error
    misfit = explain_misfit(protocol, kind=kind)
    if misfit:
        raise ImportFailed("--protocol", misfit, got=name)
    return name if "|" in name else protocol.reference
