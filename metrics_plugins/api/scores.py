"""The scores that a metric returns: one number per key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.errors import BadScores

Values = npt.NDArray[np.float64]

_MOST_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One score per row of a batch, or one for the whole batch from a corpus-level metric.

    Attributes:
        keys: The keys of the batch, in its order.
        values: `(n_keys,)` float64; NaN means that the metric is undefined for the row.

    Raises:
        BadScores: The lengths differ, or the values are not one-dimensional.
    """

    keys: tuple[str, ...]
    values: Values

    def __post_init__(self) -> None:
        if not isinstance(self.values, np.ndarray):
            raise BadScores(f"values must be an array, got {type(self.values).__name__}: use Scores.make")
        if self.values.shape != (len(self.keys),):
            raise BadScores(f"scores must have shape ({len(self.keys)},) for as many keys, got {self.values.shape}")

    @classmethod
    def make(cls, keys: Iterable[str], values: Sequence[float] | npt.ArrayLike) -> "Scores":
        """Return scores with the values as float64.

        Raises:
            BadScores: A value is not a number; the message names its key.
        """
        names = tuple(keys)
        return cls(keys=names, values=_read_numbers(values, keys=names))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def n_missing(self) -> int:
        """The number of NaN values."""
        return int(np.isnan(self.values).sum())

    @property
    def n_infinite(self) -> int:
        """The number of infinite values."""
        return int(np.isinf(self.values).sum())

    def drop_infinite(self) -> "Scores":
        """Return the scores with infinite values replaced by NaN; the same object if there are none."""
        is_infinite = np.isinf(self.values)
        return Scores(self.keys, np.where(is_infinite, np.nan, self.values)) if is_infinite.any() else self

    @property
    def mean(self) -> float:
        """The mean of the values that are not NaN; NaN if there are none."""
        defined = self.values[~np.isnan(self.values)]
        return float(defined.mean()) if len(defined) else float("nan")


def _read_numbers(values: Sequence[float] | npt.ArrayLike, *, keys: tuple[str, ...]) -> Values:
    try:
        numbers = np.asarray(values)
    except ValueError:  # one of the values is a list
        numbers = np.empty(0, dtype=object)
    if numbers.dtype.kind in "fiub" and not (numbers.ndim > 1 and isinstance(values, list | tuple)):
        return numbers.astype(np.float64)
    # NumPy would turn None into NaN and "0.5" into 0.5.
    given = list(values) if isinstance(values, Iterable) else []
    for row, (key, value) in enumerate(zip(keys, given, strict=False)):
        if not _is_number(value):
            raise BadScores(
                f"the score for key {key!r} must be a number (NaN if it is undefined), "
                f"got {type(value).__name__}{_show(value)}",
                row=row,
            )
    return np.asarray(values, dtype=np.float64)


def _is_number(value: object) -> bool:
    if value is None or isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        return False
    if getattr(value, "ndim", 0):  # an array with one number can be converted, too
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _show(value: object) -> str:
    shown = " ".join(repr(value).split())
    return "" if value is None else f" {shown if len(shown) <= _MOST_CHARACTERS else shown[:_MOST_CHARACTERS] + '...'}"
