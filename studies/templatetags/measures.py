"""The names of coefficients on pages."""

from django import template

from correlation.reports.layout import TITLES

register = template.Library()


@register.filter
def coefficient(name: str) -> str:
    """Return a coefficient as in headings of tables: Kendall τ-c; an unknown one is returned unchanged."""
    return TITLES.get(name, name)
