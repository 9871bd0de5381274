"""How numbers are printed on pages."""

from math import isnan

from django import template

register = template.Library()

MISSING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


@register.filter
def count(value: int | None) -> str:
    """Print a count, thousands apart: 16,992."""
    return MISSING if value is None else f"{value:,d}"


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """Print a number with fixed decimals, so that a column lines up at the point; a dash for none and for NaN."""
    if value is None or isnan(value):
        return MISSING
    return f"{value:.{places}f}".replace("-", MINUS)
