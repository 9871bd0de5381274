"""The complete rows from which a coefficient is computed, with keys encoded as integers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.validation import BoolArray, FloatArray, IntArray, as_floats, as_keys, check_length

# The keys that each level requires.
KEYS_NEEDED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"item": (), "group": ("groups",), "system": ("systems",), "global": ("groups", "systems")}
)


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Complete rows: scores x, judgments y, group and system as codes 0 .. k - 1 (all 0 if not given), all (n,)."""

    x: FloatArray
    y: FloatArray
    group: IntArray
    system: IntArray


def prepare_observations(
    x: ArrayLike, y: ArrayLike, *, level: str, groups: ArrayLike | None, systems: ArrayLike | None
) -> tuple[Observations, BoolArray]:
    """Return the complete rows, and a mask of shape (n,) of the given rows that are complete."""
    checked_x, checked_y = as_floats("x", x), as_floats("y", y)
    check_length("y", len(checked_y), len(checked_x), "x")
    for name, keys in (("groups", groups), ("systems", systems)):
        if keys is None and name in KEYS_NEEDED[level]:
            raise CorrelationInputError(f"level {level!r} needs `{name}`, got None")
    complete = ~(np.isnan(checked_x) | np.isnan(checked_y))
    return (
        Observations(
            x=checked_x[complete],
            y=checked_y[complete],
            group=encode_keys("groups", groups, complete),
            system=encode_keys("systems", systems, complete),
        ),
        complete,
    )


def encode_keys(name: str, keys: ArrayLike | None, complete: BoolArray) -> IntArray:
    """Codes 0 .. k - 1 of the keys of the complete rows; all 0 if no keys are given."""
    if keys is None:
        return np.zeros(int(complete.sum()), dtype=np.int64)
    array = np.asarray(keys)
    checked = array if array.ndim == 1 and array.dtype.kind in "iu" else as_keys(name, keys)
    check_length(name, len(checked), len(complete), "x")
    codes: IntArray = np.unique(checked[complete], return_inverse=True)[1].astype(np.int64)
    return codes


def average_rows(rows: Observations, unit: IntArray) -> Observations:
    """One row per unit, with the mean score and the mean judgment of its rows; `unit` holds codes 0 .. k - 1."""
    counts = np.bincount(unit)
    means_x = np.bincount(unit, weights=rows.x) / counts
    means_y = np.bincount(unit, weights=rows.y) / counts
    alone = np.zeros(len(counts), dtype=np.int64)
    return Observations(x=means_x, y=means_y, group=alone, system=alone)
