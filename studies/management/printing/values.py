"""Prints values as JSON, for commands with `--json`."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandParser


def add_json_argument(parser: CommandParser) -> None:
    """Add `--json` for a command that prints one object."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def print_values(values: object) -> str:
    """Return dataclasses, mappings and sequences as indented JSON.

    Undefined numbers are null, times are in ISO 8601, and amounts of money are texts.
    """
    return json.dumps(_convert(values), indent=1, ensure_ascii=False, allow_nan=False)


def _convert(value: Any) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return _convert(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): _convert(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_convert(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
