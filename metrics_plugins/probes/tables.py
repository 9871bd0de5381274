"""Text formats of reports: Markdown tables, JSON, and the formatting of numbers."""

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

UNDEFINED = "-"


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, n_names: int = 1) -> str:
    """Return a Markdown table; the first `n_names` columns are aligned left, the others, which are numbers, right."""
    rules = ["---" if column < n_names else "---:" for column in range(len(header))]
    lines = [header, rules, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def format_json(value: object) -> str:
    """Return JSON; an undefined number is null."""
    return json.dumps(_drop_undefined(value), indent=1, ensure_ascii=False) + "\n"


def print_number(value: float) -> str:
    """Return a number with four decimal places."""
    return f"{value:.4f}" if isfinite(value) else UNDEFINED


def print_share(value: float) -> str:
    """Return a share as a percentage with one decimal place."""
    return f"{100 * value:.1f} %" if isfinite(value) else UNDEFINED


def _drop_undefined(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _drop_undefined(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_drop_undefined(item) for item in value]
    return value
