"""Reads a table of judgments: one row per judgment, in columns of any names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from correlation.protocols.named import Protocol
from correlation.protocols.reading import ProtocolUnknown, read_protocol
from studies.datasets.importing.files.json_tables import read_any_records
from studies.datasets.importing.files.opening import open_file
from studies.datasets.importing.files.table_files import Table
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import (
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    ScoreRecord,
    StudyRecord,
    SystemRecord,
    name_votes,
)
from studies.datasets.importing.tables.columns import Columns, match_columns, parse_scale
from studies.datasets.importing.tables.found_references import (
    choose_as_fense,
    describe_dropped,
    drop_captions,
    find_references,
    take_first,
)
from studies.datasets.importing.tables.references import add_anchors
from studies.datasets.importing.tables.row_references import build_row_set
from studies.datasets.importing.tables.rows import CollectedItem, Collection, collect_rows, describe_merged
from studies.design.protocols import STARTING_PROTOCOLS, explain_misfit
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile, digest_files

_PREFERENCES: Final = (-1.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What is known of a table besides its rows.

    Attributes:
        title, source: Of the dataset; by default the study's name and the file's.
        human_systems: The systems that are people.
        drops_references_of: Systems whose captions were taken from the references, which have them no longer.
        notes: What a person who imports should know, each a line.
        has_first_set: Whether there is a reference set `first`, with the first reference of each row.
    """

    title: str = ""
    source: str = ""
    human_systems: tuple[str, ...] = ()
    drops_references_of: tuple[str, ...] = ()
    has_first_set: bool = False
    notes: tuple[str, ...] = ()


def read_table(options: ImportOptions) -> DatasetRecord:
    """Read judgments from CSV, JSON Lines, JSON or Parquet files.

    Rows with the same image, systems, captions and anchor are one item, or rows with the same id where there is a
    column `item`. Raters become `rater-1`, `rater-2`, ... in the order in which they appear, so that no participant's
    id gets in; without a rater column `vote-N` stands for an item's Nth row. Two captions in a row make a pairwise
    study, in which the value is 1 for `candidate`, -1 for `other_candidate` and 0 for no preference; a row that has the
    captions the other way round belongs to the same item. Judgments on several criteria make an item for each
    criterion. A table without images and captions is one of systems: each is a caption without text.

    Without a protocol the study gets the one that `STARTING_PROTOCOLS` has for its kind, with the criteria and the
    references of the table.
    """
    files = [open_file(path) for path in options.sources]
    return build_dataset(
        options,
        join_tables([read_any_records(file) for file in files]),
        files=files,
        reference_files=[open_file(path) for path in options.references],
    )


def join_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables as one."""
    if len(tables) == 1:
        return tables[0]
    columns = dict.fromkeys(column for table in tables for column in table.columns)
    records = [record for table in tables for record in table.records]
    return Table(", ".join(table.name for table in tables), tuple(columns), records)


def build_dataset(
    options: ImportOptions,
    table: Table,
    *,
    files: Sequence[SourceFile],
    reference_files: Sequence[SourceFile],
    facts: TableFacts = TableFacts(),
) -> DatasetRecord:
    """Return the dataset of a table of judgments, see `read_table`; the files are for its digest and its name."""
    protocol = _read_protocol(options.protocol)
    criteria = protocol.criteria if protocol else ()
    columns = match_columns(
        options.column,
        table=table,
        criteria=criteria,
        ignores_others=options.ignore_columns,
        guesses=options.guess_columns,
    )
    is_pairwise = columns.has("other_candidate")
    if is_pairwise and options.scale:
        raise ImportFailed("--scale", "is for ratings, and this table has pairs (other_candidate)")
    scale = parse_scale(options.scale) if options.scale else ()
    collection = collect_rows(table, columns, allowed=_PREFERENCES if is_pairwise else scale)
    found = find_references(table, columns, collection, files=reference_files)
    dropped = drop_captions(found.by_image, collection, systems=facts.drops_references_of)
    references, chosen = add_anchors(found.by_image, collection.items.values()), found.by_candidate
    if protocol and protocol.name == "fense" and not chosen:
        chosen = choose_as_fense(collection, references)
    sets = [build_row_set(chosen, collection.candidates.values(), references)] if chosen else []
    if facts.has_first_set:
        sets += [take_first(each) for each in sets]
    name = options.study or re.sub(r"[^a-zA-Z0-9_-]+", "-", files[0].name.rpartition(".")[0]).strip("-")[:90] or "table"
    study = StudyRecord(
        name=name,
        title=facts.title or name,
        kind=TaskKind.PAIRWISE if is_pairwise else TaskKind.RATING,
        protocol=_choose_protocol(options.protocol, protocol, collection, columns, has_own_references=bool(sets)),
        design=_build_design(collection, scale, is_pairwise=is_pairwise),
        raters=_name_raters(collection, columns),
        are_placeholders=not columns.has("rater"),
        items=[_finish(item, references) for item in collection.items.values()],
        rows_read=len(table.records),
    )
    systems = dict.fromkeys(candidate.system for candidate in collection.candidates.values())
    return DatasetRecord(
        name=name,
        title=facts.title or name,
        source=facts.source or ", ".join(file.name for file in files),
        digest=digest_files([*files, *reference_files]),
        references=references,
        systems=[SystemRecord(system, is_human=system in facts.human_systems) for system in systems],
        candidates=list(collection.candidates.values()),
        studies=[study],
        reference_sets=sets,
        scores=[
            ScoreRecord(metric, {key: value for key, (value, _) in values.items()}, source=files[0].name)
            for metric, values in collection.scores.items()
        ],
        notes=(
            *facts.notes,
            *found.notes,
            *describe_merged(collection),
            *describe_dropped(dropped, systems=facts.drops_references_of),
        ),
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


def _read_protocol(name: str | None) -> Protocol | None:
    try:
        return None if name is None else read_protocol(name)
    except ProtocolUnknown as error:
        raise ImportFailed("--protocol", str(error).removeprefix(f"protocol {name}: ")) from error


def _choose_protocol(
    name: str | None, protocol: Protocol | None, collection: Collection, columns: Columns, *, has_own_references: bool
) -> str:
    """Return the protocol to store: the one asked for, or a starting one with the choices that the table needs."""
    kind = TaskKind.PAIRWISE if columns.has("other_candidate") else TaskKind.RATING
    criteria = tuple(collection.criteria)
    options: dict[str, object] = {}
    chosen = protocol or read_protocol(STARTING_PROTOCOLS[kind])
    if protocol is None and has_own_references:
        options["references"] = "set"
    if protocol is None and columns.are_of_systems:
        options["measures"] = "system:pearson"
    if criteria and not chosen.criteria:
        options["criteria"] = criteria
    if missing := [criterion for criterion in chosen.criteria if criterion not in criteria]:
        rule = f"needs judgments on {', '.join(missing)} (one column each, or a column criterion)"
        raise ImportFailed("--protocol", rule, got=name)
    if name is not None and (misfit := explain_misfit(chosen, kind=kind)):
        raise ImportFailed("--protocol", misfit, got=name)
    if chosen.references.kind == "set" and not has_own_references:
        rule = "takes references of each row (the field row_reference, or --references by item), and there are none"
        raise ImportFailed("--protocol", rule, got=name)
    if options:
        return chosen.with_options(**options).signature
    if name is None:
        return STARTING_PROTOCOLS[kind]
    return name if "|" in name else chosen.reference
