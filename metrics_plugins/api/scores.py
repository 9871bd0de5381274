"""The scores that a metric returns: one number per key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.errors import BadScores

Values = npt.NDArray[np.float64]


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
        """Return scores with the values as float64."""
        return cls(keys=tuple(keys), values=np.asarray(values, dtype=np.float64))

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
