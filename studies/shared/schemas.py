"""Reads what comes from outside as dataclasses whose fields state their rules, and says in words which was broken."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Final, get_args, get_type_hints

from pydantic import AfterValidator, ConfigDict, Field, Strict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from studies.shared.errors import ImportFailed, SourceLocation

Text = Annotated[str, Strict()]
Flag = Annotated[bool, Strict()]
Whole = Annotated[int, Strict()]
Count = Annotated[Whole, Field(ge=0)]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]

_WORDS: Final[Mapping[str, str]] = {
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "greater_than_equal": "must be {ge} or more",
    "dict_type": "must be a table",
    "dataclass_type": "must be a table with fields of {names}",
    "unexpected_keyword_argument": "is not a field; there are {names}",
    "missing": "lacks a field: {name[0]}",
    "enum": "must be one of {members}",
}
"""Type of an error of pydantic -> what is said of it."""


class Schema:
    """Base of the dataclasses that are read from outside: they take no other fields than their own."""

    __slots__ = ()
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


def rule(words: str, fits: Callable[[Any], bool]) -> AfterValidator:
    """Return a rule about a field's value, with what is said of one that breaks it."""
    return AfterValidator(lambda value: value if fits(value) else refuse(words))


def one_of(names: Iterable[str]) -> AfterValidator:
    """Return the rule that a text is one of these."""
    known = tuple(names)
    return rule(f"must be one of {', '.join(known)}", known.__contains__)


def refuse(words: str) -> Any:
    """Refuse, within a validator, what is being read."""
    raise PydanticCustomError("rule", "{words}", {"words": words})


@cache
def adapt(schema: Any) -> TypeAdapter[Any]:
    """Return what reads values of a dataclass, or of a type whose annotation states its rules."""
    return TypeAdapter(schema)


def read_value(schema: Any, value: object, location: SourceLocation) -> Any:
    """Return what came from outside as a value of a dataclass, or of a type whose annotation states its rules.

    Raises:
        ImportFailed: A field is unknown, missing or breaks its rule; the message names the first.
    """
    try:
        return adapt(schema).validate_python(value)
    except ValidationError as error:
        raise _explain(error.errors(include_url=False)[0], schema, location) from None


def describe_fields(schema: type) -> dict[str, Any]:
    """Return the fields of a dataclass with their rules as OpenAPI 3.0 has them, those of its parts in their places."""
    described = adapt(schema).json_schema()
    return dict(_write_out(described["properties"], described["$defs"]))


def find_part(owner: Any, name: str) -> Any:
    """Return the dataclass that a field of a dataclass holds, by itself, in a tuple or unless it is None."""
    hint = get_type_hints(owner)[name]
    return next((one for one in (hint, *get_args(hint)) if is_dataclass(one)), None)


def _explain(error: ErrorDetails, schema: Any, location: SourceLocation) -> ImportFailed:
    kind, path = error["type"], [step for step in error["loc"] if step != "[key]"]
    known = error.get("ctx", {})
    if kind in ("missing", "unexpected_keyword_argument", "dataclass_type"):
        owner = path if kind == "dataclass_type" else path[:-1]
        for step in owner:
            schema = find_part(schema, step) if isinstance(step, str) else schema
        known = {"name": path[len(owner) :], "names": ", ".join(each.name for each in fields(schema))}
        path = owner if kind == "missing" else path
    elif kind == "enum":
        known = {"members": ", ".join(re.findall("'([^']*)'", known["expected"]))}
    words = _WORDS.get(kind, error["msg"].replace("Input should", "must")).format(**known)
    # People count from one.
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path)
    here = location.at("".join(steps).lstrip("."))
    return ImportFailed(here, words) if "name" in known else ImportFailed(here, words, got=error["input"])


def _write_out(value: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_write_out(each, parts) for each in value]
    if not isinstance(value, dict):
        return value
    if "anyOf" in value and {"type": "null"} in value["anyOf"]:
        return {**_write_out(value["anyOf"][0], parts), "nullable": True}
    if "$ref" in value:
        return _write_out(parts[value["$ref"].rpartition("/")[2]], parts)
    # What is not given stays as it is, or is the preset's: no default is told.
    told = {name: inner for name, inner in value.items() if isinstance(inner, dict) or name not in ("default", "title")}
    return {name: _write_out(inner, parts) for name, inner in told.items() if name != "propertyNames"}
