"""Columnar storage of a batch: each distinct caption once, rows as integer positions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

Index = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of different lengths in two flat arrays.

    Attributes:
        offsets: `(n_rows + 1,)`; row i is `values[offsets[i]:offsets[i + 1]]`.
        values: `(n_values,)`; here positions in a table of texts.
    """

    offsets: Index
    values: Index

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]]) -> "Ragged":
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        values = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(offsets[-1]))
        return cls(offsets=offsets, values=values)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Index:
        """`(n_rows,)`: the number of values in each row."""
        return np.diff(self.offsets)

    @property
    def row_of_value(self) -> Index:
        """`(n_values,)`: the row that each value belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    def take(self, rows: npt.NDArray[np.integer]) -> "Ragged":
        """Return the selected rows in the given order."""
        lengths = self.lengths[rows]
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        starts = np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths)
        return Ragged(offsets=offsets, values=self.values[starts + np.arange(offsets[-1])])

    def group_rows(self) -> dict[tuple[int, ...], list[int]]:
        """Return the numbers of the rows with equal values in equal order, by these values."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for row, values in enumerate(self):
            groups.setdefault(tuple(values.tolist()), []).append(row)
        return groups

    def __iter__(self) -> Iterator[Index]:
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.values[start:stop]


class TextTable:
    """Distinct texts with their positions, in order of first appearance."""

    __slots__ = ("_position",)

    def __init__(self) -> None:
        self._position: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Return the position of a text, adding it if it is new."""
        return self._position.setdefault(text, len(self._position))

    def add_rows(self, rows: Iterable[Iterable[str]]) -> Ragged:
        """Add the texts of every row, and return the rows as positions."""
        # Not by `add`: for the captions of a large batch, its calls take longer than all the rest.
        position = self._position
        return Ragged.from_rows([[position.setdefault(text, len(position)) for text in row] for row in rows])

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._position)
