"""Parses JSON files and reports the location of errors."""

import json
from typing import Any

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_WORDS = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "a truth value",
}


def parse_json(text: str, location: SourceLocation) -> Any:
    """Return the value of a JSON text; raise ImportFailed with line and column if it is invalid."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated"):
            raise ImportFailed(_spot(location, error), "the JSON is truncated") from error
        raise ImportFailed(_spot(location, error), f"must be JSON: {error.msg}", got=text[error.pos :][:20]) from error
    except ValueError as error:
        raise ImportFailed(location, f"must be JSON: {error}") from error
    except RecursionError as error:
        raise ImportFailed(location, "must be JSON that is not nested thousands of levels deep") from error


def read_json(file: SourceFile) -> Any:
    """Return the value of a JSON file."""
    return parse_json(file.decode(), SourceLocation(file.name))


def check_object(value: object, location: SourceLocation, *, fields: tuple[str, ...]) -> dict[str, Any]:
    """Return a JSON object after checking that it has these fields."""
    if not isinstance(value, dict):
        rule = f"must be an object with {', '.join(fields)}" if fields else "must be an object"
        raise ImportFailed(location, rule, got=describe(value))
    for field in fields:
        if field not in value:
            names = ", ".join(sorted(map(str, value))) or "no field"
            raise ImportFailed(location.at(field), "is missing", got=Unquoted(f"only {names[:80]}"))
    return value


def check_list(value: object, location: SourceLocation) -> list[Any]:
    """Return a JSON list after checking its type."""
    if not isinstance(value, list):
        raise ImportFailed(location, "must be a list", got=describe(value))
    return value


def describe(value: object) -> Unquoted:
    """Return the type of a JSON value in words."""
    return Unquoted(_WORDS.get(type(value), "null"))


def _spot(location: SourceLocation, error: json.JSONDecodeError) -> SourceLocation:
    # The location of a record of a JSON Lines file has its line already.
    record = location.record or f"line {error.lineno}"
    return SourceLocation(location.file, f"{record}, column {error.colno}")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
