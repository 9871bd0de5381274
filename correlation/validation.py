"""Validate arguments and convert them to read-only arrays."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from correlation.errors import CorrelationInputError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
KeyArray = NDArray[np.str_]


def as_floats(name: str, values: ArrayLike, *, ndim: int = 1) -> FloatArray:
    """Return a read-only float64 copy of `values`; NaN means missing, infinite values are errors."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CorrelationInputError(f"`{name}` must hold numbers: {error}") from None
    if array.ndim != ndim:
        raise CorrelationInputError(f"`{name}` must have {ndim} dimension(s), got shape {array.shape}")
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise CorrelationInputError(f"`{name}` must be finite or NaN, got {array[where]} at index {where}")
    array.flags.writeable = False
    return array


def as_keys(name: str, values: ArrayLike) -> KeyArray:
    """Return a read-only string array of shape (n,); numbers become decimal strings."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise CorrelationInputError(f"`{name}` must have 1 dimension, got shape {array.shape}")
    keys: KeyArray = array.astype(np.str_)
    if keys is array:
        keys = keys.copy()
    keys.flags.writeable = False
    return keys


def as_unique_keys(name: str, values: ArrayLike) -> KeyArray:
    """As `as_keys`, but duplicate keys are errors."""
    keys = as_keys(name, values)
    distinct, counts = np.unique(keys, return_counts=True)
    if len(distinct) != len(keys):
        raise CorrelationInputError(f"`{name}` must be unique, got {str(distinct[counts > 1][0])!r} twice")
    return keys


def check_length(name: str, actual: int, expected: int, owner: str) -> None:
    """Raise an error if a column differs in length from the column `owner`."""
    if actual != expected:
        raise CorrelationInputError(f"`{name}` must have one entry per {owner} ({expected}), got {actual}")


def find_positions(name: str, wanted: KeyArray, known: KeyArray, owner: str) -> IntArray:
    """Return the position in `known` (unique keys) of each entry of `wanted`; an unknown key is an error.

    >>> find_positions("item", np.array(["b", "a"]), np.array(["a", "b", "c"]), "items").tolist()
    [1, 0]
    """
    if len(known) == 0 and len(wanted):
        raise CorrelationInputError(f"`{name}` names {str(wanted[0])!r}, but `{owner}` is empty")
    order = np.argsort(known, kind="stable")
    slots = np.minimum(np.searchsorted(known, wanted, sorter=order), max(len(known) - 1, 0))
    positions: IntArray = order[slots].astype(np.int64)
    strange = np.flatnonzero(known[positions] != wanted)
    if len(strange):
        row = int(strange[0])
        raise CorrelationInputError(f"`{name}` at index {row} is {str(wanted[row])!r}, not in `{owner}`")
    positions.flags.writeable = False
    return positions


def as_flags(name: str, values: ArrayLike) -> BoolArray:
    """Return a read-only boolean array of shape (n,); values other than true and false are errors."""
    array = np.array(values)
    if array.ndim != 1 or (array.dtype != np.bool_ and len(array)):
        raise CorrelationInputError(
            f"`{name}` must be a 1-dimensional array of booleans, got {array.dtype} of shape {array.shape}"
        )
    flags: BoolArray = array.astype(np.bool_)
    flags.flags.writeable = False
    return flags
