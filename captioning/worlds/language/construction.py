"""What an alternative of the grammar is: a way to build a value out of parts, and to take it apart."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Parts = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """How an alternative builds its value, and takes one apart."""

    build: Callable[..., Any]
    take: Callable[[Any], Parts | None]


def make_constant(value: Any) -> Construction:
    """Return the construction of an alternative without parts."""
    return Construction(lambda: value, lambda node: () if node == value and type(node) is type(value) else None)
