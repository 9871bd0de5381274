"""Batches: keyed columns for metrics to score, with derived features computed once and shared between metrics."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.columns import Index, Ragged, TextTable
from metrics_plugins.api.errors import MissingInput, UndeclaredInput
from metrics_plugins.api.info import Input, MetricInfo

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """The data of a batch, shared by all its restricted views, with the cache of derived features."""

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    candidate: Index | None
    references: Ragged | None
    caption_set: Ragged | None
    image: tuple[Path, ...] | None
    image_key: tuple[str, ...] | None
    world: tuple[object, ...] | None
    derived: dict[Hashable, Any] = field(default_factory=dict)


class Batch:
    """Rows to be scored: one row is one candidate (segment level) or one caption set (set level).

    Rows are identified by text keys; whether these are unique is up to the caller. A column exists only if it was
    given. A metric sees a batch restricted to the inputs that it declared: `restrict` returns this view, in which
    reading any other column raises `UndeclaredInput`.

    Each distinct caption is stored once in a text table. `candidate_rows`, `reference_rows` and `caption_set_rows` are
    positions in that table, and `derive_texts` computes a feature of the whole table (tokens, n-gram counts,
    embeddings) once per batch, when the first metric needs it.
    """

    __slots__ = ("_allowed", "_columns", "_reader")

    def __init__(self, columns: _Columns, *, allowed: frozenset[Input], reader: str = "the caller") -> None:
        self._columns = columns
        self._allowed = allowed
        self._reader = reader

    @classmethod
    def make(
        cls,
        keys: Iterable[str],
        *,
        candidates: Iterable[str] | None = None,
        references: Iterable[Iterable[str]] | None = None,
        caption_sets: Iterable[Iterable[str]] | None = None,
        images: Iterable[Path] | None = None,
        image_keys: Iterable[str] | None = None,
        worlds: Iterable[object] | None = None,
    ) -> "Batch":
        """Build a batch from columns of equal length.

        Args:
            keys: The key of each row.
            candidates: The caption of each row.
            references: The reference captions of each row; a row may have none.
            caption_sets: The captions of each row that are judged together.
            images: The image file of each row.
            image_keys: The key of each row's image; if None, the key of the row.
            worlds: The symbolic scene of each row.

        Raises:
            ValueError: A column's length differs from the number of keys, a key or caption is not a string, or a row
                of `references` or `caption_sets` is a single string.
        """
        table = TextTable()
        row_keys = tuple(keys)
        columns = _Columns(
            keys=row_keys,
            candidate=None if candidates is None else table.add_rows([text] for text in candidates).values,
            references=None if references is None else table.add_rows(_refuse_texts(references, "references")),
            caption_set=None if caption_sets is None else table.add_rows(_refuse_texts(caption_sets, "caption_sets")),
            image=None if images is None else tuple(images),
            image_key=None if image_keys is None else tuple(image_keys),
            world=None if worlds is None else tuple(worlds),
            texts=table.texts,
        )
        _require_text(row_keys, "key")
        _require_text(columns.image_key or (), "image key")
        _require_text(columns.texts, "caption")
        for name in Input:
            column = getattr(columns, name)
            if column is not None and len(column) != len(row_keys):
                raise ValueError(f"column {name!s} has {len(column)} rows, but there are {len(row_keys)} keys")
        return cls(columns, allowed=frozenset(Input))

    def __len__(self) -> int:
        return len(self._columns.keys)

    def __repr__(self) -> str:
        return f"Batch({len(self)} rows, columns: {', '.join(sorted(self.available_inputs))})"

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of each row, in row order."""
        return self._columns.keys

    @property
    def available_inputs(self) -> frozenset[Input]:
        """The columns of this batch that this view may read."""
        return frozenset(name for name in self._allowed if getattr(self._columns, name) is not None)

    @property
    def candidates(self) -> Sequence[str]:
        """`(n_rows,)`: the caption of each row."""
        texts = self._columns.texts
        return [texts[position] for position in self.candidate_rows]

    @property
    def references(self) -> Sequence[tuple[str, ...]]:
        """`(n_rows,)`: the reference captions of each row, in the order given."""
        return self._texts_of(self.reference_rows)

    @property
    def caption_sets(self) -> Sequence[tuple[str, ...]]:
        """`(n_rows,)`: the captions of each row's caption set, in the order given."""
        return self._texts_of(self.caption_set_rows)

    @property
    def images(self) -> Sequence[Path]:
        """`(n_rows,)`: the image file of each row."""
        return cast("tuple[Path, ...]", self._read(Input.IMAGE))

    @property
    def image_keys(self) -> Sequence[str]:
        """`(n_rows,)`: the key of each row's image; if none was given, the key of the row."""
        return self.keys if self._is_keyed_by_image() else cast("tuple[str, ...]", self._read(Input.IMAGE_KEY))

    @property
    def worlds(self) -> Sequence[object]:
        """`(n_rows,)`: the symbolic scene of each row."""
        return cast("tuple[object, ...]", self._read(Input.WORLD))

    @property
    def candidate_rows(self) -> Index:
        """`(n_rows,)`: the position of each row's candidate in the text table."""
        return cast("Index", self._read(Input.CANDIDATE))

    @property
    def reference_rows(self) -> Ragged:
        """The positions of each row's references in the text table."""
        return cast("Ragged", self._read(Input.REFERENCES))

    @property
    def caption_set_rows(self) -> Ragged:
        """The positions of each row's caption set in the text table."""
        return cast("Ragged", self._read(Input.CAPTION_SET))

    def derive_texts(self, name: Hashable, compute: Callable[[Sequence[str]], T]) -> T:
        """Return a feature of the text table, computed at the first call with this name.

        Args:
            name: Identifies the feature, including everything that its value depends on besides the texts, such as
                `("ptb", "tokens")`. Metrics that pass the same name share the result.
            compute: Called with all distinct captions of the batch. The result must be read-only and indexed by the
                positions in `candidate_rows`, `reference_rows` and `caption_set_rows`.
        """
        return self._remember(("texts", name), lambda: compute(self._columns.texts))

    def derive(self, name: Hashable, compute: Callable[["Batch"], T]) -> T:
        """Return a feature of the rows, computed from this view at the first call with this name."""
        return self._remember(("rows", name), lambda: compute(self))

    def restrict(self, info: MetricInfo) -> "Batch":
        """Return the view of this batch that a metric is allowed to read.

        Raises:
            MissingInput: The metric declares a column that this batch does not have.
        """
        return self.restrict_to(info.inputs, reader=f"metric {info.id!r}")

    def restrict_to(self, inputs: frozenset[Input], *, reader: str) -> "Batch":
        """Return the view with only these columns; `reader` is named in the error of a forbidden access.

        Raises:
            MissingInput: This batch lacks one of the columns.
            UndeclaredInput: This batch is a view that may not read one of the columns.
        """
        # A view cannot be widened, otherwise a metric could undo its restriction.
        forbidden = sorted(inputs - self._allowed)
        if forbidden:
            raise UndeclaredInput(
                f"{reader} asks for {', '.join(forbidden)}, but its batch is a view that only {self._reader} reads "
                f"(declared: {', '.join(sorted(self._allowed))})"
            )
        # A row always has an image key, which defaults to its own key.
        wanted = inputs - {Input.IMAGE_KEY}
        missing = sorted(name for name in wanted if getattr(self._columns, name) is None)
        if missing:
            raise MissingInput(
                f"{reader} needs {', '.join(missing)}, "
                f"but this batch holds only {', '.join(sorted(self.available_inputs)) or 'keys'}"
            )
        return Batch(self._columns, allowed=inputs, reader=reader)

    def select(self, rows: Sequence[int] | npt.NDArray[np.integer]) -> "Batch":
        """Return a new batch of the selected rows in the given order, without derived features.

        Raises:
            ValueError: `rows` is a boolean mask instead of row numbers.
            IndexError: A row number is out of range.
        """
        if np.asarray(rows).dtype == np.bool_:
            raise ValueError("rows must be row numbers, got a mask of bool (np.flatnonzero makes numbers of it)")
        chosen = np.asarray(rows, dtype=np.int64)
        old = self._columns
        table = TextTable()

        def rebuild(ragged: Ragged) -> Ragged:
            kept = ragged.take(chosen)
            positions = [table.add(old.texts[value]) for value in kept.values]
            return Ragged(offsets=kept.offsets, values=np.asarray(positions, dtype=np.int64))

        candidate = None
        if old.candidate is not None:
            candidate = np.asarray([table.add(old.texts[value]) for value in old.candidate[chosen]], dtype=np.int64)
        columns = _Columns(
            keys=tuple(old.keys[row] for row in chosen),
            candidate=candidate,
            references=None if old.references is None else rebuild(old.references),
            caption_set=None if old.caption_set is None else rebuild(old.caption_set),
            image=None if old.image is None else tuple(old.image[row] for row in chosen),
            image_key=None if old.image_key is None else tuple(old.image_key[row] for row in chosen),
            world=None if old.world is None else tuple(old.world[row] for row in chosen),
            texts=table.texts,
        )
        return Batch(columns, allowed=self._allowed, reader=self._reader)

    def _read(self, name: Input) -> object:
        if name not in self._allowed:
            raise UndeclaredInput(
                f"{self._reader} reads {name!s}, which its info.inputs does not declare "
                f"(declared: {', '.join(sorted(self._allowed))})"
            )
        column = getattr(self._columns, name)
        if column is None:
            raise MissingInput(f"{self._reader} reads {name!s}, which this batch does not have")
        return column

    def _is_keyed_by_image(self) -> bool:
        return Input.IMAGE_KEY in self._allowed and self._columns.image_key is None

    def _texts_of(self, rows: Ragged) -> list[tuple[str, ...]]:
        texts = self._columns.texts
        return [tuple(texts[position] for position in row) for row in rows]

    def _remember(self, name: Hashable, compute: Callable[[], T]) -> T:
        derived = self._columns.derived
        if name not in derived:
            derived[name] = compute()
        return cast("T", derived[name])

    def __reduce__(self) -> tuple[Any, ...]:
        # Derived features are not pickled: recomputing is cheaper than sending them, as they exceed the captions.
        old = self._columns
        captions = (old.keys, old.texts, old.candidate, old.references, old.caption_set)
        columns = (*captions, old.image, old.image_key, old.world)
        # Sorted: the order of a set depends on the process.
        return _restore_batch, (columns, tuple(sorted(self._allowed)), self._reader)

    @classmethod
    def restore(cls, columns: tuple[Any, ...], *, allowed: frozenset[Input], reader: str) -> "Batch":
        """Return the batch that was taken apart by `__reduce__`."""
        return cls(_Columns(*columns), allowed=allowed, reader=reader)


def _refuse_texts(rows: Iterable[Iterable[str]], name: str) -> Iterator[Iterable[str]]:
    # A string is an iterable of strings: without this check its characters would become captions.
    for number, row in enumerate(rows):
        if isinstance(row, str):
            raise ValueError(f"column {name} must hold a list of captions for each row, got {row!r} for row {number}")
        yield row


def _require_text(values: Sequence[object], name: str) -> None:
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"every {name} must be text, got {value!r}")


def _restore_batch(columns: tuple[Any, ...], allowed: tuple[Input, ...], reader: str) -> Batch:
    return Batch.restore(columns, allowed=frozenset(allowed), reader=reader)
