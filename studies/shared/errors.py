"""The base of refusals, and errors for an unavailable database and for data that cannot be imported.

The latter has location, rule and offending value.
"""

from dataclasses import dataclass
from typing import Final, Self

from django.core.management.base import CommandError
from django.db import OperationalError

_LONGEST_QUOTE: Final = 80


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A location in the data: a file, a record of it (`line 12`, `record 3`) and a field of the record."""

    file: str
    record: str = ""
    field: str = ""

    def at(self, field: str) -> Self:
        """Return the location of another field of the same record."""
        # Called for every field, and `replace` takes ten times as long.
        return type(self)(self.file, self.record, field)

    def __str__(self) -> str:
        field = f"field {self.field}" if self.field else ""
        return ", ".join(part for part in (self.file, self.record, field) if part)


class Unquoted(str):
    """A description that `ImportFailed` prints without quotation marks."""

    __slots__ = ()


_NOTHING: Final = Unquoted("")


class DatabaseUnavailable(OperationalError, CommandError):
    """The database cannot be connected to; the message is one line.

    As a `CommandError` it ends every command without a traceback, also those of Django.
    """


class Refusal(Exception):
    """Base class of errors that tell the user why something cannot be done; the message is for that user."""


class ImportFailed(Refusal):
    """Data cannot be imported. The message is one line for the user who requested the import.

    Attributes:
        location: Where the data break the rule, or a description of the argument that does.
        rule: The requirement, as the rest of a sentence that starts with the location.
        got: The offending value, quoted; empty if there is none.
    """

    def __init__(self, location: SourceLocation | str, rule: str, *, got: object = _NOTHING) -> None:
        self.location = location
        self.rule = rule
        self.got = quote(got)
        super().__init__(f"{location}: {rule}" + (f", got {self.got}" if self.got else ""))


def quote(value: object) -> str:
    """Return a value as one short printable line."""
    if isinstance(value, Unquoted):
        return str(value)
    text = repr(value) if not isinstance(value, str) else repr(value[: _LONGEST_QUOTE * 2])
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."
