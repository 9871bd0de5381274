"""Tests of reading external values as dataclasses: errors are named, and rules are in the OpenAPI schema."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import pytest

from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.schemas import (
    Count,
    Flag,
    Number,
    Schema,
    Text,
    describe_fields,
    find_part,
    one_of,
    read_value,
    rule,
)


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Point(Schema):
    value: Number
    label: Text = ""


@dataclass(frozen=True, slots=True)
class Plan(Schema):
    """What is planned."""

    points: tuple[Point, ...] = ()
    best: Point | None = None
    codes: Mapping[Color, Text] = field(default_factory=dict)
    color: Color = Color.RED
    word: Annotated[Text, one_of(("one", "two"))] = "one"
    even: Annotated[Count, rule("must be even", lambda number: number % 2 == 0)] = 0
    is_on: Flag = False


HERE = SourceLocation("plan.json", "record 3")


def test_what_is_right_is_read_with_defaults_for_the_rest() -> None:
    given = {"points": [{"value": 1, "label": "a"}, {"value": 2.5}], "best": None, "codes": {"blue": "B"}, "even": 4}

    assert read_value(Plan, given, HERE) == Plan(points=(Point(1.0, "a"), Point(2.5)), codes={Color.BLUE: "B"}, even=4)
    assert type(read_value(Point, {"value": 1}, HERE).value) is float


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "plan.json, record 3: must be a table with fields of points, best, codes, color, word, even, is_on"),
        ({"": 3}, "record 3: is not a field; the fields are points, best"),
        ({"colour": 3}, "record 3, field colour: is not a field; the fields are points, best"),
        ({"best": {}}, "field best: lacks the field value"),
        ({"best": {"value": 3, "x": 3}}, "field best.x: is not a field; the fields are value, label"),
        ({"points": [{"value": 1}, {}]}, r"field points\[2\]: lacks the field value"),
        ({"points": [{"value": 1, "x": 2}]}, r"field points\[1\]\.x: is not a field; the fields are value, label"),
        ({"points": [3]}, r"field points\[1\]: must be a table with fields of value, label"),
        ({"points": [{"value": "1"}]}, r"field points\[1\]\.value: must be a number, got '1'"),
        ({"points": [{"value": True}]}, r"field points\[1\]\.value: must be a number, got True"),
        ({"points": [{"value": 10**400}]}, r"field points\[1\]\.value: must be a number, got 1000"),
        ({"points": [{"value": float("nan")}]}, r"must be a finite number, got nan"),
        ({"codes": 3}, "field codes: must be a table, got 3"),
        ({"codes": {"green": "x"}}, "field codes.green: must be one of red, blue, got 'green'"),
        ({"codes": {"red": 3}}, "field codes.red: must be text, got 3"),
        ({"color": ["red"]}, r"field color: must be one of red, blue, got \['red'\]"),
        ({"word": "three"}, "field word: must be one of one, two, got 'three'"),
        ({"even": 3}, "field even: must be even, got 3"),
        ({"even": -2}, "field even: must be 0 or more, got -2"),
        ({"even": 2.0}, "field even: must be a whole number, got 2.0"),
        ({"is_on": 1}, "field is_on: must be true or false, got 1"),
    ],
)
def test_what_is_wrong_is_named(given, message) -> None:
    with pytest.raises(ImportFailed, match=message):
        read_value(Plan, given, HERE)


def test_a_type_with_rules_is_read_without_a_dataclass_around_it() -> None:
    with pytest.raises(ImportFailed, match=r"^plan\.json, record 3: must be one of a, b, got 'c'$"):
        read_value(Annotated[Text, one_of(("a", "b"))], "c", HERE)


def test_no_name_is_called_empty() -> None:
    with pytest.raises(ImportFailed, match=r"must be empty or one of a, b, got 'c'$"):
        read_value(Annotated[Text, one_of(("", "a", "b"))], "c", HERE)


def test_openapi_is_told_types_and_rules_and_no_default() -> None:
    point = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"value": {"type": "number"}, "label": {"type": "string"}},
        "required": ["value"],
    }
    told = describe_fields(Plan)

    assert {name: inner for name, inner in told["best"].items() if name != "description"} == point | {"nullable": True}
    assert told["points"]["items"]["properties"] == point["properties"]
    assert told["codes"] == {"type": "object", "additionalProperties": {"type": "string"}}
    assert told["color"] == {"type": "string", "enum": ["red", "blue"]}
    assert told["word"] == {"type": "string", "enum": ["one", "two"]}
    assert told["even"] == {"type": "integer", "minimum": 0}


def test_the_part_of_a_field_is_found() -> None:
    assert [find_part(Plan, name) for name in ("points", "best", "color")] == [Point, Point, None]
