"""Placeholders of parts of a page that a job computes; they poll until the part can be shown."""

from typing import Any

from django import template

from studies.analysis.cached_results import CachedValue
from studies.views.pending_parts import describe_placeholder

register = template.Library()


@register.inclusion_tag("studies/placeholder.html", takes_context=True)
def show_placeholder(context: dict[str, Any], part: str, known: CachedValue[Any]) -> dict[str, Any]:
    """Show how far the computation of a part of the page is; `again` of the context is the page's address."""
    return describe_placeholder(known, part=part, again=context["again"])
