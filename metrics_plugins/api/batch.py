"""The batch: keyed columns that a metric scores, with derived features computed once for all metrics."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.columns import Index, Ragged, TextTable
from metrics_plugins.api.errors import MissingInput, UndeclaredInput
from metrics_plugins.api.info import Input, MetricInfo

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """The data under a batch and all its restricted views, with their common memory of derived features."""

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

    Rows are known by their keys, which need not be numbers and may repeat only if the caller wants it so. A column
    exists if it was given. A metric sees a batch restricted to the inputs it declared: `restrict` makes that view,
    and a forbidden column raises `UndeclaredInput`.

    Captions are stored once each. `candidate_rows`, `reference_rows` and `caption_set_rows` are positions in that
    table of texts, and `derive_texts` computes a feature of the whole table (tokens, n-gram counts, embeddings) once
    per batch, whichever metric asks first.
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
            keys: One per row.
            candidates: The caption of each row.
            references: The ground-truth captions of each row; a row may have none.
            caption_sets: The captions of each row that are judged together.
            images: The image file of each row.
            image_keys: What each row's image is known by; its own key if None.
            worlds: The symbolic scene of each row.

        Raises:
            ValueError: A column's length differs from the number of keys, a key or caption is not text, or a row of
                `references` or `caption_sets` is one text instead of several.
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
        """One key per row, in row order."""
        return self._columns.keys

    @property
    def available_inputs(self) -> frozenset[Input]:
        """The columns that this batch was made with and this view may read."""
        return frozenset(name for name in self._allowed if getattr(self._columns, name) is not None)

    @property
    def candidates(self) -> Sequence[str]:
        """`(n_rows,)`: the caption of each row."""
        texts = self._columns.texts
        return [texts[position] for position in self.candidate_rows]

    @property
    def references(self) -> Sequence[tuple[str, ...]]:
        """`(n_rows,)`: the ground-truth captions of each row, in the order given."""
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
        """`(n_rows,)`: what each row's image is known by: what was given, else the row's own key."""
        return self.keys if self._is_keyed_by_image() else cast("tuple[str, ...]", self._read(Input.IMAGE_KEY))

    @property
    def worlds(self) -> Sequence[object]:
        """`(n_rows,)`: the symbolic scene of each row."""
        return cast("tuple[object, ...]", self._read(Input.WORLD))

    @property
    def candidate_rows(self) -> Index:
        """`(n_rows,)`: where each row's candidate stands in the table of texts."""
        return cast("Index", self._read(Input.CANDIDATE))

    @property
    def reference_rows(self) -> Ragged:
        """Where each row's references stand in the table of texts."""
        return cast("Ragged", self._read(Input.REFERENCES))

    @property
    def caption_set_rows(self) -> Ragged:
        """Where the captions of each row's set stand in the table of texts."""
        return cast("Ragged", self._read(Input.CAPTION_SET))

    def derive_texts(self, name: Hashable, compute: Callable[[Sequence[str]], T]) -> T:
        """Return a feature of the table of texts, computed at the first call with this name.

        Args:
            name: What identifies the feature: all that its value depends on besides the texts, such as
                `("ptb", "tokens")`. Two metrics that pass the same name share the result.
            compute: Called with every distinct caption of the batch; the result must be read-only and indexed by
                the positions that `candidate_rows`, `reference_rows` and `caption_set_rows` give.
        """
        return self._remember(("texts", name), lambda: compute(self._columns.texts))

    def derive(self, name: Hashable, compute: Callable[["Batch"], T]) -> T:
        """Return a feature of the rows, computed at the first call with this name from this view."""
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
            MissingInput: This batch was made without one of the columns.
            UndeclaredInput: This batch is itself a view, and may not read one of the columns.
        """
        # A view only narrows: else a metric could undo the restriction that it was handed.
        forbidden = sorted(inputs - self._allowed)
        if forbidden:
            raise UndeclaredInput(
                f"{reader} asks for {', '.join(forbidden)}, but its batch is a view that only {self._reader} reads "
                f"(declared: {', '.join(sorted(self._allowed))})"
            )
        # A row always has an image key: its own key, where no other was given.
        wanted = inputs - {Input.IMAGE_KEY}
        missing = sorted(name for name in wanted if getattr(self._columns, name) is None)
        if missing:
            raise MissingInput(
                f"{reader} needs {', '.join(missing)}, "
                f"but this batch holds only {', '.join(sorted(self.available_inputs)) or 'keys'}"
            )
        return Batch(self._columns, allowed=inputs, reader=reader)

    def select(self, rows: Sequence[int] | npt.NDArray[np.integer]) -> "Batch":
        """Return a new batch of the chosen rows, in the given order; derived features start afresh.

        Raises:
            ValueError: `rows` is a mask: row numbers are wanted.
            IndexError: There is no such row.
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
            raise MissingInput(f"{self._reader} reads {name!s}, which this batch was made without")
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
        # Derived features are recomputed where the batch arrives: they are larger than the captions themselves.
        old = self._columns
        captions = (old.keys, old.texts, old.candidate, old.references, old.caption_set)
        columns = (*captions, old.image, old.image_key, old.world)
        return _restore_batch, (columns, self._allowed, self._reader)


def _refuse_texts(rows: Iterable[Iterable[str]], name: str) -> Iterator[Iterable[str]]:
    # A text is itself an iterable of texts: without this rule its letters would become captions.
    for number, row in enumerate(rows):
        if isinstance(row, str):
            raise ValueError(f"column {name} must hold a list of captions for each row, got {row!r} for row {number}")
        yield row


def _require_text(values: Sequence[object], name: str) -> None:
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"every {name} must be text, got {value!r}")


def _restore_batch(columns: tuple[Any, ...], allowed: frozenset[Input], reader: str) -> Batch:
    return Batch(_Columns(*columns), allowed=allowed, reader=reader)
