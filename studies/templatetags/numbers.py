"""Formats numbers for pages."""

from math import isnan

from django import template

from studies.shared.text import print_duration

register = template.Library()

MISSING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


@register.filter
def count(value: int | None) -> str:
    """Format a count with thousands separators: 16,992."""
    return MISSING if value is None else f"{value:,d}"


@register.filter
def duration(seconds: float | None) -> str:
    """Format a duration as one rounded number: 3 min; None is a dash."""
    return MISSING if seconds is None else print_duration(seconds)


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """Format a number with fixed decimals, so that columns align; None and NaN are a dash."""
    if value is None or isnan(value):
        return MISSING
    return f"{value:.{places}f}".replace("-", MINUS)
