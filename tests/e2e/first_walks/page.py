"""Writes what a walk took into docs/first-walks.md, and its pictures beside it."""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.first_walks.film import Shot
from tests.e2e.first_walks.sheets import print_clock, write_sheet
from tests.e2e.first_walks.walks import Walked

PAGE = "first-walks.md"
_MOST_BYTES = 300_000
_TITLES = {
    "demo": "The demo, from its address to the first result",
    "report": "Three files, from an empty account to a shared report",
}


def write_walk(name: str, walked: Walked, folder: Path, *, setting_up: float) -> None:
    """Write the sheet of a walk, and replace its block in the page, between `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises:
        ValueError: The page has no such block.
    """
    write_sheet(walked.film.shots, folder / "images" / f"first-walk-{name}.webp", most_bytes=_MOST_BYTES)
    page = folder / PAGE
    block = "\n".join(
        (
            f"![{_TITLES[name]}: a picture after each click](images/first-walk-{name}.webp)",
            "",
            *_list_facts(walked, setting_up=setting_up),
            "",
            *_list_shots(walked.film.shots),
        )
    )
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
    text, n = re.subn(pattern, lambda found: f"{found[1]}{block}\n{found[2]}", page.read_text(), flags=re.DOTALL)
    if n != 1:
        raise ValueError(f"{page} has no block {name}")
    page.write_text(text)


def _list_facts(walked: Walked, *, setting_up: float) -> list[str]:
    film = walked.film
    facts = [
        f"- Before the clock starts: {setting_up:.0f} seconds until the address answered.",
        f"- On the clock: {_count(film.n_clicks, 'click')}, {_count(film.n_typed, 'field')} typed, "
        f"{_count(film.n_dropped, 'file')} dropped, {print_clock(film.seconds_filmed)} minutes.",
    ]
    if walked.n_raters:
        facts.append(
            f"- {_count(walked.n_clicks_to_link, 'click')} to the open study with its link; {walked.n_raters} programs "
            f"then answered {walked.n_judgments} tasks by that link in {print_clock(walked.rating_seconds)} minutes."
        )
    return [*facts, f"- What the page said: “{walked.insight}”"]


def _list_shots(shots: Sequence[Shot]) -> list[str]:
    head = ["| picture | what was done before it | clicks | clock |", "| ---: | --- | ---: | ---: |"]
    rows = [
        f"| {number} | {shot.text} | {shot.n_clicks} | {print_clock(shot.seconds)} |"
        for number, shot in enumerate(shots, start=1)
    ]
    return head + rows


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
