"""Derives serializers from the types of frozen dataclasses."""

from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

_PLAIN: dict[type, type[serializers.Field]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    datetime: serializers.DateTimeField,
}
_JSON_NAMES: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


@cache
def serializer_of(value_type: type, *, name: str, only: tuple[str, ...] = ()) -> type[serializers.Serializer]:
    """Return a serializer with a field for each field of a dataclass, or for the named ones."""
    hints = get_type_hints(value_type)
    wanted = [each.name for each in fields(value_type) if not only or each.name in only]
    made = {each: _make_field(hints[each]) for each in wanted}
    return type(f"{name}Serializer", (serializers.Serializer,), {**made, "__doc__": value_type.__doc__})


def _make_field(hint: Any, **options: bool) -> serializers.Field:
    inner = [each for each in get_args(hint) if each is not type(None)]
    if get_origin(hint) in (Union, UnionType):
        if len(inner) > 1:
            return _make_value_field(inner, allow_null=type(None) in get_args(hint))
        # Said while it is made: the serializer makes its fields anew from what they were made with.
        return _make_field(inner[0], allow_null=True)
    if get_origin(hint) in (tuple, list):
        if is_dataclass(inner[0]):
            return serializer_of(inner[0], name=inner[0].__name__)(many=True, **options)
        return serializers.ListField(child=_make_field(inner[0]), **options)
    if is_dataclass(hint):
        return serializer_of(hint, name=hint.__name__)(**options)
    return _PLAIN.get(hint, serializers.CharField)(**options)


def _make_value_field(kinds: list[type], *, allow_null: bool) -> serializers.Field:
    """Return a field for a value of one of several plain types, without conversion."""

    # A field of the first type alone would convert the others: 4 would become true.
    @extend_schema_field({"anyOf": [{"type": _JSON_NAMES[each]} for each in kinds], "nullable": allow_null})
    class ValueField(serializers.JSONField):
        pass

    return ValueField(allow_null=allow_null)
