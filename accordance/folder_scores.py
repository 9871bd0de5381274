"""Join the scores in a folder of Parquet files, which may be larger than memory, with a table of judgments.

Only judged captions are held in memory: the partitions of the folder are read one after the other.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray
from metrics_plugins.large_tables.captions import CAPTION, IMAGE, reading_parquet
from metrics_plugins.large_tables.manifest import FILE, Manifest, read_manifest
from metrics_plugins.large_tables.partitions import IN_REFERENCES
from metrics_plugins.large_tables.storage import Storage, find_storage
from metrics_plugins.readers import InputError

JUDGMENT: Final = "judgment"
_OPTIONAL: Final = ("rater", "criterion", "category", "system")
_JOINS: Final = (("key",), (IMAGE, "system"), (IMAGE, CAPTION))
"""The columns that identify a caption: the first of these that both tables have."""

_ROWS_AT_ONCE: Final = 65_536
_MARK: Final = "\x1f"


@dataclass(frozen=True, slots=True)
class JudgedScores:
    """Judged captions with their scores.

    Attributes:
        judgments: The judgments; the items are the judged captions in the order of their table.
        scores: For each metric, `(n_items,)`: NaN where it is undefined or the folder lacks the caption.
        in_references: `(n_items,)`: whether the caption is one of the references of its image; None without references.
        has_raters: Whether the table of judgments names the raters.
        joined_by: The columns that both tables were joined by.
        n_unknown: The number of judged captions that the folder does not have.
        manifest: The manifest of the folder.
    """

    judgments: JudgmentTable
    scores: Mapping[str, FloatArray]
    in_references: BoolArray | None
    has_raters: bool
    joined_by: tuple[str, ...]
    n_unknown: int
    manifest: Manifest


def join_judgments(scores: str, judgments: str) -> JudgedScores:
    """Read a table of judgments, and the scores of the captions in it.

    Args:
        scores: The folder that `score --output` wrote, as a path or URL; all its partitions must be complete.
        judgments: A CSV or Parquet file with the column `judgment` and columns that identify the caption, a row for
            each judgment; a path or URL.

    Raises:
        InputError: A file or cell is invalid, no columns identify the captions, two captions have the same identity in
            the folder, or no judged caption is in the folder.
    """
    folder = find_storage(scores)
    manifest = read_manifest(folder)
    if manifest is None:
        raise InputError(f"{scores}: must be a folder that `score --output` wrote, but has no {FILE}")
    if not manifest.is_complete:
        n_rows = sum(each.rows for each in manifest.partitions.values())
        raise InputError(
            f"{scores}: is not complete, {n_rows:,} of {manifest.rows:,} rows are scored: run the same `score` again"
        )
    table = _read_table(find_storage(judgments))
    available = _read_columns(folder, manifest)
    joined_by = _choose_join(table.column_names, available, judgments=judgments, scores=scores)
    _check_cells(table, joined_by, where=judgments)
    keys = pc.dictionary_encode(_join_columns(table, joined_by).combine_chunks())
    found = _find_rows(folder, manifest, keys.dictionary, joined_by, has_flags=IN_REFERENCES in available)
    n_unknown = int((~found.is_known).sum())
    if n_unknown == len(found.is_known):
        raise InputError(f"{judgments}: no judged caption is in {scores} (joined by {' and '.join(joined_by)})")
    return JudgedScores(
        judgments=_make_judgments(table, keys, found, where=judgments),
        scores=found.scores,
        in_references=found.in_references,
        has_raters="rater" in table.column_names,
        joined_by=joined_by,
        n_unknown=n_unknown,
        manifest=manifest,
    )


def _read_table(storage: Storage) -> pa.Table:
    """Return the columns of a table of judgments that are used: all as text, `judgment` as numbers."""
    where = storage.locate("")
    wanted = {JUDGMENT, "key", IMAGE, CAPTION, *_OPTIONAL}
    try:
        with storage.open() as file:
            content = io.BytesIO(file.read())
        table = _read_csv(content) if where.endswith(".csv") else pq.read_table(content)
    except FileNotFoundError as error:
        raise InputError(f"{where}: there is no such file") from error
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{where}: must be CSV (.csv) or a complete Parquet file, got: {error}") from error
    if len(set(table.column_names)) < len(table.column_names):
        raise InputError(f"{where}: columns must have different names, got {', '.join(table.column_names)}")
    if JUDGMENT not in table.column_names:
        raise InputError(f"{where}: column {JUDGMENT!r} is missing (columns: {', '.join(table.column_names)})")
    if not len(table):
        raise InputError(f"{where}: must hold judgments, got none")
    columns = {name: table[name] for name in table.column_names if name in wanted}
    texts = {name: pc.cast(column, pa.string()) for name, column in columns.items() if name != JUDGMENT}
    return pa.table({**texts, JUDGMENT: _read_numbers(columns[JUDGMENT], where=where)})


def _read_csv(content: io.BytesIO) -> pa.Table:
    header = content.readline().decode("utf-8-sig", "replace").strip()
    content.seek(0)
    names = [name.strip('"') for name in header.split(",")]
    # Ids such as 007 must stay text.
    options = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    return pyarrow.csv.read_csv(
        content, parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True), convert_options=options
    )


def _read_numbers(column: pa.ChunkedArray, *, where: str) -> pa.ChunkedArray:
    try:
        numbers = pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        numbers = pa.chunked_array([[_parse(value) for value in column.to_pylist()]])
    strange = np.flatnonzero(~np.isfinite(pc.fill_null(numbers, float("nan")).to_numpy()))
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"{where}: row {row + 1}: column {JUDGMENT!r}: must be a finite number, got {column[row].as_py()!r}"
        )
    return numbers


def _parse(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def _read_columns(folder: Storage, manifest: Manifest) -> tuple[str, ...]:
    name = next(iter(manifest.partitions.values())).file
    with reading_parquet(folder.locate(name)), folder.open(name) as file:
        return tuple(pq.ParquetFile(file).schema_arrow.names)


def _choose_join(mine: Sequence[str], available: Sequence[str], *, judgments: str, scores: str) -> tuple[str, ...]:
    for columns in _JOINS:
        if set(columns) <= set(mine) and set(columns) <= set(available):
            return columns
    raise InputError(
        f"{judgments}: must have `key`, `image_id` and `system`, or `image_id` and `caption`, as {scores} does "
        f"({', '.join(available)}): got {', '.join(mine)}"
    )


def _check_cells(table: pa.Table, joined_by: Sequence[str], *, where: str) -> None:
    for name in table.column_names:
        column = table[name]
        missing = column.is_null().to_numpy()
        if name in joined_by and name != CAPTION:
            missing |= pc.fill_null(pc.equal(column, ""), fill_value=False).to_numpy()
        if missing.any():
            raise InputError(f"{where}: row {int(np.flatnonzero(missing)[0]) + 1}: column {name!r}: must not be empty")


def _join_columns(table: pa.Table, columns: Sequence[str]) -> pa.ChunkedArray:
    if len(columns) == 1:
        return table[columns[0]]
    return pc.binary_join_element_wise(*(table[name] for name in columns), _MARK)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What the folder has of each judged caption."""

    is_known: BoolArray
    image: "np.ndarray[Any, np.dtype[np.object_]]"
    system: "np.ndarray[Any, np.dtype[np.object_]] | None"
    in_references: BoolArray | None
    scores: Mapping[str, FloatArray]


def _find_rows(
    folder: Storage, manifest: Manifest, keys: pa.Array, joined_by: Sequence[str], *, has_flags: bool
) -> _Found:
    n_items = len(keys)
    names = tuple(manifest.signatures)
    row_of = np.full(n_items, -1, dtype=np.int64)
    image = np.full(n_items, "", dtype=object)
    system: list[Any] = [None] * n_items
    flags = np.zeros(n_items, dtype=np.bool_)
    scores = {name: np.full(n_items, np.nan) for name in names}
    for part in _read_partitions(folder, manifest):
        places = pc.index_in(_join_columns(part, joined_by).combine_chunks(), value_set=keys)
        rows = np.flatnonzero(places.is_valid().to_numpy(zero_copy_only=False))
        if not len(rows):
            continue
        items = places.drop_null().to_numpy().astype(np.int64)
        few = part.take(rows)
        numbers = few["row"].to_numpy()
        _refuse_repeats(row_of, items, numbers, keys, joined_by, where=folder.address)
        row_of[items] = numbers
        image[items] = few[IMAGE].to_pylist()
        if "system" in few.column_names:
            for item, name in zip(items.tolist(), few["system"].to_pylist(), strict=True):
                system[item] = name
        if has_flags:
            flags[items] = few[IN_REFERENCES].to_numpy()
        for name in names:
            values = pc.fill_null(few[name], float("nan")).to_numpy()
            scores[name][items] = values if manifest.higher_is_better[name] else -values
    has_systems = any(name is not None for name in system)
    return _Found(
        row_of >= 0,
        image,
        np.array(system, dtype=object) if has_systems else None,
        flags if has_flags else None,
        scores,
    )


def _read_partitions(folder: Storage, manifest: Manifest) -> Iterator[pa.Table]:
    for partition in manifest.partitions.values():
        with reading_parquet(folder.locate(partition.file)), folder.open(partition.file) as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=_ROWS_AT_ONCE):
                yield pa.Table.from_batches([batch])


def _refuse_repeats(
    row_of: Any, items: Any, numbers: Any, keys: pa.Array, joined_by: Sequence[str], *, where: str
) -> None:
    # Equal captions of an image have equal scores, so that any of them stands for all.
    if joined_by == (IMAGE, CAPTION):
        return
    order = np.argsort(items, kind="stable")
    again = order[1:][items[order][1:] == items[order][:-1]]
    known = np.flatnonzero(row_of[items] >= 0)
    strange = np.concatenate([again, known])
    if len(strange):
        row = int(strange.min())
        key = keys[int(items[row])].as_py().replace(_MARK, ", ")
        raise InputError(
            f"{where}: row {int(numbers[row])}: two captions have the same {' and '.join(joined_by)} ({key}); "
            "give the candidates different keys in a column `key`"
        )


def _make_judgments(table: pa.Table, keys: pa.DictionaryArray, found: _Found, *, where: str) -> JudgmentTable:
    items = np.arange(len(keys.dictionary))
    item = keys.indices.to_numpy().astype(np.int64)
    first_rows = np.unique(item, return_index=True)[1]

    def attribute(name: str, known: Any) -> Any:
        """The attribute of items: that of the folder, or of the table of judgments for captions it lacks."""
        if name not in table.column_names:
            return known
        own = np.array(table[name].to_pylist(), dtype=object)[first_rows]
        return own if known is None else np.where(found.is_known, known, own)

    image = attribute(IMAGE, np.where(found.is_known, found.image, items.astype(str).astype(object)))
    system, category = attribute("system", found.system), attribute("category", None)
    if system is not None and any(name is None for name in system):
        system = None
    try:
        return JudgmentTable.build(
            items=items,
            image=image.astype(str),
            system=None if system is None else system.astype(str),
            category=None if category is None else category.astype(str),
            item=item,
            rater=_read_raters(table),
            value=table[JUDGMENT].to_numpy(),
            criterion=_read_optional(table, "criterion"),
        )
    except CorrelationInputError as error:
        raise InputError(f"{where}: {error}") from error


def _read_optional(table: pa.Table, name: str) -> Any:
    return np.array(table[name].to_pylist(), dtype=np.str_) if name in table.column_names else None


def _read_raters(table: pa.Table) -> Any:
    # Without names, each judgment is by a rater of its own.
    raters = _read_optional(table, "rater")
    return np.arange(len(table)).astype(np.str_) if raters is None else raters
