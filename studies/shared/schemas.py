"""Validates external data as dataclasses whose fields state their rules, and describes violations in words."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Final, get_args, get_type_hints

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_after_validator_function

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
    "unexpected_keyword_argument": "is not a field; the fields are {names}",
    "missing": "lacks the field {name[0]}",
    "enum": "must be one of {members}",
}
"""Type of a pydantic error -> its description."""


class Schema:
    """The base of dataclasses for external data, which reject unknown fields."""

    __slots__ = ()
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")


def rule(words: str, fits: Callable[[Any], bool]) -> AfterValidator:
    """Return a rule for the value of a field, with the text for violations."""
    return AfterValidator(lambda value: value if fits(value) else refuse(words))


@dataclass(frozen=True, slots=True)
class OneOf:
    """The rule that a text is one of these names, which the schema lists."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        beginning = "must be empty or one of" if "" in self.names else "must be one of"
        words = f"{beginning} {', '.join(filter(None, self.names))}"
        return no_info_after_validator_function(
            lambda value: value if value in self.names else refuse(words), handler(source)
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(schema), "enum": [*self.names]}


def one_of(names: Iterable[str]) -> OneOf:
    """Return the rule that a text is one of these names."""
    return OneOf(tuple(names))


def refuse(words: str) -> Any:
    """Reject the value from within a validator."""
    raise PydanticCustomError("rule", "{words}", {"words": words})


@cache
def adapt(schema: Any) -> TypeAdapter[Any]:
    """Return the parser of a dataclass, or of a type whose annotation states its rules."""
    return TypeAdapter(schema)


def read_value(schema: Any, value: object, location: SourceLocation) -> Any:
    """Parse an external value as a dataclass, or as a type whose annotation states its rules.

    Raises:
        ImportFailed: A field is unknown, missing or breaks its rule; the message names the first one.
    """
    try:
        return adapt(schema).validate_python(value)
    except ValidationError as error:
        raise _explain(error.errors(include_url=False)[0], schema, location) from None


def describe_fields(schema: type) -> dict[str, Any]:
    """Return the fields of a dataclass with their rules as OpenAPI 3.0, with nested parts written out."""
    described = adapt(schema).json_schema()
    return dict(_write_out(described["properties"], described["$defs"]))


def find_part(owner: Any, name: str) -> Any:
    """Return the dataclass of a field, which may hold it directly, in a tuple or optionally."""
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
    # Messages count from 1.
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
    # Omit defaults: a missing field keeps its value or that of the preset.
    told = {name: inner for name, inner in value.items() if isinstance(inner, dict) or name not in ("default", "title")}
    return {name: _write_out(inner, parts) for name, inner in told.items() if name != "propertyNames"}
