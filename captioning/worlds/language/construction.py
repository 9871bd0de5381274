"""Constructions of the grammar, which build values from parts and decompose them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Parts = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """How an alternative of the grammar builds a value from its parts, and decomposes a value (None if it cannot)."""

    build: Callable[..., Any]
    take: Callable[[Any], Parts | None]


def make_constant(value: Any) -> Construction:
    """Return the construction of an alternative without parts."""
    return Construction(lambda: value, lambda node: () if node == value and type(node) is type(value) else None)
