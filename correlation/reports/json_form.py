"""Write and read reports as JSON, with fields in the order of the classes and null for undefined values."""

import json
from dataclasses import MISSING, asdict, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from correlation.errors import CorrelationInputError
from correlation.reports.report import Report

FORMAT = "accordance-report@1"
Value = TypeVar("Value")


def print_json(report: Report) -> str:
    """Print the report as indented JSON with a final newline; floats are written exactly."""
    return json.dumps({"format": FORMAT, **asdict(report)}, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_report(text: str) -> Report:
    """Read a report written by `print_json`.

    Raises
    ------
    CorrelationInputError
        The text is not JSON or has another format, or a field is unknown, of the wrong type, or missing and without
        default.
    """
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise CorrelationInputError(f"a report must be JSON: {error}") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        found = record.get("format") if isinstance(record, dict) else type(record).__name__
        raise CorrelationInputError(f"a report must have format {FORMAT!r}, got {found!r}")
    del record["format"]
    return _read_value(Report, record, "report")


def _read_value(owner: type[Value], record: object, where: str) -> Value:
    if not isinstance(record, dict):
        raise CorrelationInputError(f"`{where}` must be an object, got {record!r}")
    declared = fields(owner)  # type: ignore[arg-type]
    names = [field.name for field in declared]
    # A report that was frozen before a field existed has the field's default.
    needed = [field.name for field in declared if field.default is MISSING]
    strange = [name for name in record if name not in names] + [name for name in needed if name not in record]
    if strange:
        raise CorrelationInputError(f"`{where}` must have the fields {', '.join(names)}; wrong: {', '.join(strange)}")
    hints = get_type_hints(owner)
    return owner(
        **{name: _read_field(record[name], hints[name], f"{where}.{name}") for name in names if name in record}
    )


def _read_field(value: Any, hint: Any, where: str) -> Any:
    if get_origin(hint) is tuple and isinstance(value, list):
        return tuple(_read_field(each, get_args(hint)[0], f"{where}[{place}]") for place, each in enumerate(value))
    if is_dataclass(hint):
        return _read_value(hint, value, where)  # type: ignore[arg-type]
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if type(value) is int and int not in kinds and float in kinds:
        return float(value)
    if type(value) not in kinds:
        names = " or ".join("null" if kind is NoneType else getattr(kind, "__name__", str(kind)) for kind in kinds)
        raise CorrelationInputError(f"`{where}` must be {names}, got {value!r}")
    return value
