"""Sort numbers together with their positions; used to number, count and match n-grams."""

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]

_BITS = 63


def sort_with_positions(keys: Int64, positions: Int64, *, n_positions: int) -> tuple[Int64, Int64]:
    """Sort keys, with ties sorted by position.

    Args:
        keys: `(n,)`, none negative.
        positions: `(n,)` ascending, each at least 0 and below `n_positions`.
        n_positions: The bound of positions.

    Returns:
        The sorted keys and the position of each.
    """
    shift = max(n_positions - 1, 0).bit_length()
    if int(keys.max(initial=0)).bit_length() + shift > _BITS:
        order = np.argsort(keys, kind="stable")
        return keys[order], positions[order]
    # One sort of packed integers is several times faster than an argsort with two look-ups.
    packed = keys << shift
    packed |= positions
    packed.sort()
    return packed >> shift, packed & ((1 << shift) - 1)


def mark_changes(values: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return `(n,)`: whether each value differs from the preceding one; True for the first."""
    changed = np.empty(len(values), dtype=np.bool_)
    changed[:1] = True
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed
