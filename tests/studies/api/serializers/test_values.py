from dataclasses import dataclass
from datetime import datetime

from studies.api.serializers.values import serializer_of


@dataclass(frozen=True, slots=True)
class Part:
    name: str


@dataclass(frozen=True, slots=True)
class Whole:
    number: int
    moment: datetime | None
    part: Part | None
    parts: tuple[Part, ...]
    names: tuple[str, ...] | None
    mixed: int | str | None


def test_a_field_may_be_null_where_its_type_has_none():
    fields = serializer_of(Whole, name="Whole")().fields

    assert {name: field.allow_null for name, field in fields.items()} == {
        "number": False,
        "moment": True,
        "part": True,
        "parts": False,
        "names": True,
        "mixed": True,
    }
