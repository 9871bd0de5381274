"""Errors of the correlation package: each says which argument, the rule and what came."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class CorrelationInputError(ValueError):
    """An argument broke a rule: shape, type, range or key."""


class UnknownNameError(LookupError):
    """A coefficient, level or protocol was asked for by a name that does not exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        self._given = (kind, name, tuple(known))
        super().__init__(f"unknown {kind} {name!r}; known are: {', '.join(self._given[2])}")

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, object, tuple[str, ...]]]:
        # An error of another process is made again from its arguments, and the message is none.
        return type(self), self._given


def check_name(kind: str, name: object, known: Collection[str]) -> None:
    """Raise `UnknownNameError` if `name`, which should be a `kind`, is not one of those that are known."""
    if name not in known:
        raise UnknownNameError(kind, name, known)
