"""Formats points in time for pages."""

from datetime import UTC, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_NEVER = mark_safe('<span class="faint">none yet</span>')


@register.filter
def moment(at: datetime | None) -> SafeString:
    """Format a time to the minute, in UTC; "none yet" for None, and for what a template does not know."""
    if not at:
        return _NEVER
    utc = at.astimezone(UTC)
    return format_html('<time datetime="{}">{}</time>', utc.isoformat(), f"{utc:%Y-%m-%d %H:%M}")
