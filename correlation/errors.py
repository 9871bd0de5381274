"""Errors of the correlation package; each message states the argument, the rule and the offending value."""

from collections.abc import Collection, Iterable


class CorrelationInputError(ValueError):
    """An argument has an invalid shape, type, range or key."""


class UnknownNameError(LookupError):
    """The name of a coefficient, level or protocol is unknown."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        self._given = (kind, name, tuple(known))
        super().__init__(f"unknown {kind} {name!r}; known are: {', '.join(self._given[2])}")

    def __reduce__(self) -> "tuple[type[UnknownNameError], tuple[str, object, tuple[str, ...]]]":
        # Unpickling recreates the error from its arguments, which are not the message.
        return type(self), self._given


def check_name(kind: str, name: object, known: Collection[str]) -> None:
    """Raise `UnknownNameError` if `name`, the name of a `kind`, is not in `known`."""
    if name not in known:
        raise UnknownNameError(kind, name, known)
