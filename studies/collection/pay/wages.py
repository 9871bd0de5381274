"""Compares what raters earn per hour with the promised wage."""

from decimal import Decimal
from typing import Final

_MOST: Final = 2
"""From this multiple of the promised wage on, the planned time of a task is taken to be wrong."""


def explain_wage(median_hourly: Decimal | None, *, promised: Decimal | None) -> str:
    """Return how the median hourly wage differs from the promised one, as the end of a warning; "" if it is fine.

    Args:
        median_hourly: The median of the hourly earnings of raters; None if no time was worked.
        promised: The hourly wage in the design; 0 or None if it promises none.
    """
    if not promised or median_hourly is None:
        return ""
    if median_hourly < promised:
        return "below the promised wage"
    if median_hourly < _MOST * promised:
        return ""
    return (
        f"{median_hourly / promised:.0f} times the promised wage: tasks take less time than planned, so that the same "
        "budget pays for more judgments at a lower reward"
    )
