"""Sections of pages of the documentation, which benchmarks write between markers."""

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
    replace_between(page, f"<!-- {name} -->", f"<!-- end of {name} -->", content=f"{content.rstrip()}\n")


def replace_between(page: Path, begin: str, end: str, *, content: str) -> None:
    """Replace the text between a line with the marker `begin` and the marker `end`.

    Raises:
        ValueError: The page does not have both markers.
    """
    head, found, rest = page.read_text(encoding="utf-8").partition(f"{begin}\n")
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page} has no section between {begin} and {end}")
    page.write_text(f"{head}{begin}\n{content}{end}{tail}", encoding="utf-8")
