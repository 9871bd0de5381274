"""Columns of a data frame with scores and judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from correlation.validation import FloatArray, KeyArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class JudgedColumns:
    """Scores of metrics, the judgments of the same rows, and the keys of these.

    Attributes:
        scores: For each metric `(n_rows,)`, NaN where a score is missing.
        judgments: `(n_rows,)`, NaN where a judgment is missing.
        groups: `(n_rows,)` the images of the rows; None if no column was named, also below.
        systems: `(n_rows,)`.
        raters: `(n_rows,)`.
    """

    scores: Mapping[str, FloatArray]
    judgments: FloatArray
    groups: KeyArray | None
    systems: KeyArray | None
    raters: KeyArray | None

    @classmethod
    def read(
        cls,
        frame: "pd.DataFrame",
        *,
        metrics: Sequence[str],
        judgment: str,
        image: str | None,
        system: str | None,
        rater: str | None,
    ) -> "JudgedColumns":
        """Return the columns with these names.

        Raises:
            ValueError: A column is missing or has no numbers, or `metrics` is a text or empty.
        """
        if isinstance(metrics, str) or not metrics:
            raise ValueError(f"`metrics` must be a list of at least one column, got {metrics!r}")
        for column in (*metrics, judgment, image, system, rater):
            if column is not None and column not in frame.columns:
                raise ValueError(f"the frame has no column {column!r} (it has: {', '.join(map(str, frame.columns))})")
        return cls(
            {name: _read_numbers(frame, name) for name in metrics},
            _read_numbers(frame, judgment),
            groups=_read_keys(frame, image),
            systems=_read_keys(frame, system),
            raters=_read_keys(frame, rater),
        )


def _read_numbers(frame: "pd.DataFrame", column: str) -> FloatArray:
    values: Any = frame[column]
    try:
        numbers: FloatArray = values.to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {column!r} must have numbers: {error}") from error
    return numbers


def _read_keys(frame: "pd.DataFrame", column: str | None) -> KeyArray | None:
    return None if column is None else np.asarray(frame[column].astype(str).tolist(), dtype=np.str_)
