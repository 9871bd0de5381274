"""Counts, ratios and their comparison with quantifiers, for ints and for arrays."""

from typing import Any

import numpy as np

from captioning.worlds.truth.profiles import Profile
from captioning.worlds.truth.scenes import Mask

# Larger than any ratio of counts.
INFINITE = 1e9
FRACTION_TOLERANCE = 0.005


def count_members(members: Mask) -> Any:
    """Return the size of a set."""
    return members.bit_count() if isinstance(members, int) else np.bitwise_count(members).astype(np.int64)


def divide_counts(dividend: Any, divisor: Any, *, limit: float = INFINITE) -> Any:
    """Return the quotient of two counts: 0 if both are 0, `limit` if only the divisor is."""
    missing = divisor == 0
    return dividend / (divisor + missing) * (1 - missing) + limit * (missing & (dividend > 0))


def compare_quantity(modifier: str, lower: Any, upper: Any, target: float, *, profile: Profile) -> Any:
    """Return 1, 0 or -1 for whether a quantity in [`lower`, `upper`] has the relation `modifier` to `target`.

    Targets that are not whole have a tolerance, since a third is written .33.
    """
    tolerance = 0.0 if target % 1.0 == 0.0 else FRACTION_TOLERANCE
    if modifier in ("eq", "neq"):
        above, below = upper - target, target - lower
        true = (above <= tolerance) & (below <= tolerance)
        # The quantity certainly differs from the target only if the whole interval does.
        false = (-above > tolerance) | (-below > tolerance)
        value = true * 1 - false * 1
        return value if modifier == "eq" else -value
    slack = tolerance * profile.tolerance_sign
    if modifier == "lt":
        true, false = upper < target + slack, lower >= target + slack
    elif modifier == "gt":
        true, false = lower > target - slack, upper <= target - slack
    elif modifier == "leq":
        true, false = upper <= target + tolerance, lower > target - slack
    else:
        true, false = lower >= target - tolerance, upper < target + slack
    # If both conditions hold within the tolerance, the value is true.
    return true * 1 - (false > true) * 1
