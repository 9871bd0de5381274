"""Formats entries of the audit log."""

import json
from typing import Final

from django import template

from studies.access.history import describe_action
from studies.models import AuditEntry

register = template.Library()

_N_DIGITS: Final = 12

register.filter("action", describe_action)


@register.filter
def details(entry: AuditEntry) -> str:
    """Return old and new values as `name: value`, separated by semicolons, without empty ones.

    `was` and `is` come first, then other names alphabetically, since PostgreSQL does not preserve their order. The
    beginning of a digest is enough to recognise it.
    """
    named = sorted(entry.details.items(), key=lambda item: (item[0] != "was", item[0] != "is", item[0]))
    printed = ((name, _print(value)[: _N_DIGITS if name == "sha256" else None]) for name, value in named)
    return "; ".join(f"{name}: {value}" for name, value in printed if value)


def _print(value: object) -> str:
    if isinstance(value, dict):
        # Such as metrics with their parameters, which are often none.
        return ", ".join(_print_named(name, each) for name, each in value.items())
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print_named(name: str, value: object) -> str:
    if not isinstance(value, dict):
        return f"{name} {_print(value)}"
    return f"{name} ({_print(value)})" if value else name
