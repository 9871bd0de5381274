"""What is said when data cannot be imported: where, which rule, and what came."""

from dataclasses import dataclass
from typing import Final, Self

_LONGEST_QUOTE: Final = 80


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A spot in the data: a file, a record of it (`line 12`, `record 3`) and a field of the record."""

    file: str
    record: str = ""
    field: str = ""

    def at(self, field: str) -> Self:
        """Return the same record's location with another field."""
        # Made for every field that is read: `replace` takes ten times as long.
        return type(self)(self.file, self.record, field)

    def __str__(self) -> str:
        field = f"field {self.field}" if self.field else ""
        return ", ".join(part for part in (self.file, self.record, field) if part)


class Unquoted(str):
    """A description that `ImportFailed` prints as it is, without quotation marks."""

    __slots__ = ()


_NOTHING: Final = Unquoted("")


class ImportFailed(Exception):
    """Data that cannot be imported. The message is one line for the person who asked for the import.

    Attributes:
        location: Where the data broke the rule, or a description of the argument that did.
        rule: What is asked for, as the rest of a sentence that starts with the location.
        got: What came, quoted; empty where there is nothing to quote.
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
