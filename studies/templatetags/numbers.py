"""Formats numbers for pages."""

from math import isnan

from django import template

register = template.Library()

MISSING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


@register.filter
def count(value: int | None) -> str:
    """Format a count with thousands separators: 16,992."""
    return MISSING if value is None else f"{value:,d}"


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """Format a number with fixed decimals, so that columns align; None and NaN are a dash."""
    if value is None or isnan(value):
        return MISSING
    return f"{value:.{places}f}".replace("-", MINUS)
