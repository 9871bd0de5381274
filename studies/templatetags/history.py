"""Formats entries of the audit log."""

import json

from django import template

from studies.access.history import describe_action
from studies.models import AuditEntry

register = template.Library()

register.filter("action", describe_action)


@register.filter
def details(entry: AuditEntry) -> str:
    """Return old and new values as `name: value`, separated by semicolons.

    `was` and `is` come first, then other names alphabetically, since PostgreSQL does not preserve their order.
    """
    named = sorted(entry.details.items(), key=lambda item: (item[0] != "was", item[0] != "is", item[0]))
    return "; ".join(f"{name}: {_print(value)}" for name, value in named)


def _print(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
