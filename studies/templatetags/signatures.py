"""Shortens signatures."""

from django import template

register = template.Library()


@register.filter
def head(signature: str) -> str:
    """Return the name and version at the start of a signature: `custom@1` of `custom@1|rows:all|refs:all`."""
    return signature.partition("|")[0]
