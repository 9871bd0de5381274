"""Sections of pages between markers, written by the reports on captioners."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
FIGURES: Final = DOCS / "figures"


def replace_section(page: Path, *, name: str, content: str) -> None:
    """Replace the text between `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises:
        ValueError: The page has no such section.
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    head, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page} has no section between {begin.strip()} and {end}")
    page.write_text(f"{head}{begin}{content.rstrip()}\n{end}{tail}", encoding="utf-8")
