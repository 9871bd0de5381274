"""The Markdown filter."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from studies.shared.markdown import render_markdown

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """Render a researcher's text; see `studies.shared.markdown`."""
    return mark_safe(render_markdown(text))  # noqa: S308 - the renderer allows no HTML, and escapes all text
