"""Marks secret fields, and removes their values from designs that leave the platform.

Fields are marked by `codes: ... = field(default_factory=dict, metadata=SECRET)` in a dataclass, and by
`secret_fields: ClassVar = ("seed",)` in a model. Only the form for changes of a design, for the owner and editors of
the study, shows such fields (`docs/studies.md`); `tests/security/test_secret_fields.py` searches for them elsewhere.
"""

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, Final

SECRET: Final[Mapping[str, bool]] = MappingProxyType({"is_secret": True})
"""The metadata of a dataclass field that is hidden from everybody who may not change the study."""


def is_secret(field: Field[Any]) -> bool:
    """Return whether a field of a dataclass is marked with `SECRET`."""
    return bool(field.metadata.get("is_secret"))


def name_secrets(owner: type) -> frozenset[str]:
    """Return the names of a dataclass's own secret fields."""
    return frozenset(field.name for field in fields(owner) if is_secret(field))


def remove_secrets(value: Any) -> Any:
    """Return a value as JSON, with dataclasses as objects without their secret fields."""
    if is_dataclass(value) and not isinstance(value, type):
        shown = (field for field in fields(value) if not is_secret(field))
        return {field.name: remove_secrets(getattr(value, field.name)) for field in shown}
    if isinstance(value, Mapping):
        return {name: remove_secrets(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [remove_secrets(inner) for inner in value]
    return value


def list_set_secrets(value: Any, *, above: str = "") -> dict[str, Any]:
    """Return path -> value of the secret fields that are not empty, such as `panel.codes.finished`."""
    found: dict[str, Any] = {}
    for field in fields(value):
        inner, path = getattr(value, field.name), f"{above}{field.name}"
        if not is_secret(field):
            found |= list_set_secrets(inner, above=f"{path}.") if is_dataclass(inner) else {}
        elif isinstance(inner, Mapping):
            found |= {f"{path}.{name}": one for name, one in inner.items() if one}
        elif inner:
            found[path] = inner
    return found
