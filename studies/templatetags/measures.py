"""How coefficients are called on pages."""

from django import template

from correlation.reports.layout import TITLES

register = template.Library()


@register.filter
def coefficient(name: str) -> str:
    """Return a coefficient as tables head it: Kendall τ-c; one of a later version by its own name."""
    return TITLES.get(name, name)
