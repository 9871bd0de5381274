"""Reads a table of judgments: one row per judgment, in columns of any names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from correlation.protocols.named import Protocol
from studies.datasets.importing.files.table_files import Table, read_records
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.fense import choose_references
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
from studies.datasets.importing.tables.references import (
    add_anchors,
    is_coco,
    is_lines,
    read_reference_columns,
    read_reference_file,
)
from studies.datasets.importing.tables.row_references import (
    Alternatives,
    assign_item_references,
    build_row_set,
    collect_item_references,
    is_by_item,
)
from studies.datasets.importing.tables.rows import CollectedItem, Collection, collect_rows, describe_merged
from studies.design.protocols import STARTING_PROTOCOLS, ProtocolUnknown, explain_misfit, read_protocol
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import SourceFile, digest_files, read_file

_PREFERENCES: Final = (-1.0, 0.0, 1.0)
_FENSE_CATEGORIES: Final = ("HC", "HI", "HM", "MM")


def read_table(options: ImportOptions) -> DatasetRecord:
    """Read judgments from a CSV, JSON Lines or Parquet file.

    Rows with the same image, systems, captions and anchor are one item, or rows with the same id where there is a
    column `item`. Raters become `rater-1`, `rater-2`, ... in the order in which they appear, so that no participant's
    id gets in; without a rater column `vote-N` stands for an item's Nth row. Two captions in a row make a pairwise
    study, in which the value is 1 for `candidate`, -1 for `other_candidate` and 0 for no preference; a row that has the
    captions the other way round belongs to the same item. Judgments on several criteria make an item for each
    criterion. A table without images and captions is one of systems: each is a caption without text.

    Without a protocol the study gets the one that `STARTING_PROTOCOLS` has for its kind, with the criteria and the
    references of the table.
    """
    files = [read_file(path) for path in (options.source, options.references) if path is not None]
    table = read_records(files[0])
    protocol = _read_protocol(options.protocol)
    criteria = protocol.criteria if protocol else ()
    columns = match_columns(options.column, table=table, criteria=criteria, ignores_others=options.ignore_columns)
    is_pairwise = columns.has("other_candidate")
    if is_pairwise and options.scale:
        raise ImportFailed("--scale", "is for ratings, and this table has pairs (other_candidate)")
    scale = parse_scale(options.scale) if options.scale else ()
    collection = collect_rows(table, columns, allowed=_PREFERENCES if is_pairwise else scale)
    given, chosen = _find_references(options, table, columns, collection, files=files)
    references = add_anchors(given, collection.items.values())
    kind = TaskKind.PAIRWISE if is_pairwise else TaskKind.RATING
    if protocol and protocol.name == "fense" and not chosen:
        chosen = _choose_as_fense(collection, references)
    sets = [build_row_set(chosen, collection.candidates.values(), references)] if chosen else []
    name = options.study or re.sub(r"[^a-zA-Z0-9_-]+", "-", files[0].name.rpartition(".")[0]).strip("-")[:90] or "table"
    study = StudyRecord(
        name=name,
        title=name,
        kind=kind,
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
        title=name,
        source=files[0].name,
        digest=digest_files(files),
        references=references,
        systems=[SystemRecord(system) for system in systems],
        candidates=list(collection.candidates.values()),
        studies=[study],
        reference_sets=sets,
        scores=[
            ScoreRecord(metric, {key: value for key, (value, _) in values.items()}, source=files[0].name)
            for metric, values in collection.scores.items()
        ],
        notes=describe_merged(collection),
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
    options: ImportOptions, table: Table, columns: Columns, collection: Collection, *, files: Sequence[SourceFile]
) -> tuple[dict[str, list[str]], dict[str, Alternatives]]:
    """Return the references by image, and by candidate key those of a caption alone, in alternatives."""
    own = read_reference_columns(table, columns)
    chosen: dict[str, Alternatives] = {key: (texts,) for key, texts in collection.row_references.items()}
    if options.references is None:
        return own, chosen
    if columns.has("reference"):
        raise ImportFailed("--references", "cannot be given together with columns of references")
    by_item = None if is_coco(files[1]) or is_lines(files[1]) else read_records(files[1])
    if by_item is not None and is_by_item(by_item):
        if not columns.has("item"):
            raise ImportFailed("--references", f"has references by item, and {table.name} has no column item")
        if chosen:
            raise ImportFailed("--references", "has references by item, and the table has row_reference")
        items = collection.items.values()
        return own, assign_item_references(collect_item_references(by_item), items, name=files[1].name)
    given = read_reference_file(files[1])
    for record in table.records:
        image, location = columns.find(record, "image")
        if str(image) not in given:
            raise ImportFailed(location, f"must be an image with captions in {files[1].name}", got=Unquoted(image))
    return {image: given[image] for image in own}, chosen


def _choose_as_fense(collection: Collection, references: Mapping[str, Sequence[str]]) -> dict[str, Alternatives]:
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
