"""Files of tab-separated lines without a header, as Flickr8k is published."""

from collections.abc import Iterator
from dataclasses import dataclass

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a file, counted from 1, cut at its tabs."""

    file: str
    number: int
    values: tuple[str, ...]

    @property
    def location(self) -> SourceLocation:
        return SourceLocation(self.file, f"line {self.number}")


def read_lines(file: SourceFile, *, columns: tuple[str, ...]) -> Iterator[SourceLine]:
    """Yield the lines of a file that has these columns.

    Only a line feed ends a line: captions may hold any other line-break character. Raises ImportFailed for a wrong
    number of columns, and for a last line without a line feed: the published files have one, so it was cut short.
    """
    *lines, rest = file.decode().split("\n")
    if not lines and not rest:
        raise ImportFailed(file.name, "holds no lines")
    for number, text in enumerate([*lines, rest] if rest else lines, start=1):
        line = SourceLine(file.name, number, tuple(text.removesuffix("\r").split("\t")))
        if number > len(lines):
            raise ImportFailed(line.location, "is cut short: a line break must end it", got=text)
        if len(line.values) != len(columns):
            rule = f"must have {len(columns)} columns apart by tabs ({', '.join(columns)})"
            raise ImportFailed(line.location, rule, got=Unquoted(f"{len(line.values)}"))
        yield line
