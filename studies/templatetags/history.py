"""Entries of the audit log in words."""

import json

from django import template

from studies.domain.history import describe_action
from studies.models import AuditEntry

register = template.Library()

register.filter("action", describe_action)


@register.filter
def details(entry: AuditEntry) -> str:
    """Return what was and what is now, as `name: value` apart by semicolons."""
    return "; ".join(f"{name}: {_print(value)}" for name, value in entry.details.items())


def _print(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
