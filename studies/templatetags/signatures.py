"""How signatures are printed where there is no room for all of one."""

from django import template

register = template.Library()


@register.filter
def head(signature: str) -> str:
    """Print the name and version that a signature begins with: `custom@1` of `custom@1|rows:all|refs:all`."""
    return signature.partition("|")[0]
