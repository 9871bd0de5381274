"""Rejects unknown fields of objects in requests, and describes the known ones in the schema."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def refuse_unknown(names: Iterable[str], *, known: Sequence[str]) -> None:
    """Raise ValidationError for each name that is not a field.

    Otherwise a misspelled option would be ignored, and the result would be for other options than requested.
    """
    unknown = [name for name in names if name not in known]
    if unknown:
        rule = f"There is no such field; the fields are {', '.join(known) or 'none'}."
        raise serializers.ValidationError(dict.fromkeys(unknown, rule))


def object_of(properties: Mapping[str, Any]) -> type[serializers.DictField]:
    """Return a field for an object with only these fields; the caller must reject others."""

    @extend_schema_field(_describe(properties))
    class ObjectField(serializers.DictField):
        pass

    return ObjectField


def _describe(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def close_bodies(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Declare in the schema that JSON bodies have no additional fields, since `ApiView.read` rejects them."""
    for methods in result["paths"].values():
        for described in methods.values():
            body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            name = body.get("$ref", "").rpartition("/")[2]
            if name:
                result["components"]["schemas"][name]["additionalProperties"] = False
    return result
