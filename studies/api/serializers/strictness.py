"""Objects within what is sent: which fields they may have, told in the schema and refused where they have others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def refuse_unknown(names: Iterable[str], *, known: Sequence[str]) -> None:
    """Raise ValidationError at each name that is not a field.

    Passed over in silence, a misspelled choice would be answered with the number of another.
    """
    unknown = [name for name in names if name not in known]
    if unknown:
        rule = f"There is no such field; there are {', '.join(known) or 'none'}."
        raise serializers.ValidationError(dict.fromkeys(unknown, rule))


def object_of(properties: Mapping[str, Any]) -> type[serializers.DictField]:
    """Return a field for an object with these fields and no others; who reads it refuses others and says where."""

    @extend_schema_field(_describe(properties))
    class ObjectField(serializers.DictField):
        pass

    return ObjectField


def _describe(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def close_bodies(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say in the schema that a JSON body has no other fields than its own, as `ApiView.read` refuses them."""
    for methods in result["paths"].values():
        for described in methods.values():
            body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            name = body.get("$ref", "").rpartition("/")[2]
            if name:
                result["components"]["schemas"][name]["additionalProperties"] = False
    return result
