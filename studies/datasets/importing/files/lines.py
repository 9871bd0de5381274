"""Reads files of tab-separated lines without a header, the format of Flickr8k."""

from collections.abc import Iterator
from dataclasses import dataclass

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a file, numbered from 1, split at tabs."""

    file: str
    number: int
    values: tuple[str, ...]

    @property
    def location(self) -> SourceLocation:
        return SourceLocation(self.file, f"line {self.number}")


def read_lines(file: SourceFile, *, columns: tuple[str, ...]) -> Iterator[SourceLine]:
    """Yield the lines of a file with these columns.

    Only a line feed ends a line, since captions may contain other line-break characters. Raises ImportFailed for a
    wrong number of columns, and for a last line without a line feed: the published files end with one, so the file is
    truncated.
    """
    *lines, rest = file.decode().split("\n")
    if not lines and not rest:
        raise ImportFailed(file.name, "holds no lines")
    for number, text in enumerate([*lines, rest] if rest else lines, start=1):
        line = SourceLine(file.name, number, tuple(text.removesuffix("\r").split("\t")))
        if number > len(lines):
            raise ImportFailed(line.location, "is truncated: the last line must end with a line break", got=text)
        if len(line.values) != len(columns):
            rule = f"must have {len(columns)} columns separated by tabs ({', '.join(columns)})"
            raise ImportFailed(line.location, rule, got=Unquoted(f"{len(line.values)}"))
        yield line
