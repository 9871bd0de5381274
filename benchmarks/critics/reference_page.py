"""The tables on `critic-reference` of docs/critics.md, from the results of its benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "critics.md"
BEGIN: Final = "<!-- python -m benchmarks.critics.reference writes from here ... -->"
END: Final = "<!-- ... to here, on critic-reference -->"
CHOICE_BEGIN: Final = "<!-- python -m benchmarks.critics.reference_choice writes from here ... -->"
CHOICE_END: Final = "<!-- ... to here, on its weights -->"

TRANSFER_BEGIN: Final = "<!-- python -m benchmarks.critics.judgments_transfer writes from here ... -->"
TRANSFER_END: Final = "<!-- ... to here, on other data sets -->"


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers of the page."""
    _replace(page, BEGIN, END, format_results(results))


def write_choice(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers for weights."""
    _replace(page, CHOICE_BEGIN, CHOICE_END, format_choice(results))


def write_transfer(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers for judgments of other data sets."""
    _replace(page, TRANSFER_BEGIN, TRANSFER_END, format_transfer(results))


def _replace(page: Path, begin: str, end: str, content: str) -> None:
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{content}\n{end}{after}")


def format_results(results: Mapping[str, Any]) -> str:
    """Return two tables: the contribution of each part, and the gains over `sentence-cosine` with intervals."""
    sets = results["sets"]
    lines = [
        ["x100: development / held back / all", *sets],
        ["---"] * (1 + len(sets)),
        *(
            [name, *(" / ".join(f"{value:.2f}" for value in found["rows"][name]) for found in sets.values())]
            for name in next(iter(sets.values()))["rows"]
        ),
    ]
    gains = [
        ["data", "`sentence-cosine`", "version 3: gain", "`critic-reference`", "gain"],
        ["---"] * 5,
        *([name, *_list_gains(found)] for name, found in sets.items()),
    ]
    return "\n".join(map(_format_table, (lines, gains)))


def _list_gains(found: Mapping[str, Any]) -> list[str]:
    third, this = (f"{gain:+.2f} [{low:+.2f}, {high:+.2f}]" for gain, low, high in found["gains"].values())
    zero_shot, score = (f"{found['rows'][name][-1]:.2f}" for name in ("`sentence-cosine`", "`critic-reference`"))
    return [zero_shot, third, score, this]


def format_choice(results: Mapping[str, Any]) -> str:
    """Return two tables: the chosen weights, and the gains on the development part that they were chosen by."""
    weights = [list(results["weights"]), [f"{weight:g}" for weight in results["weights"].values()]]
    gains = [list(results["gains"]), [f"{gain:+.2f}" for gain in results["gains"].values()]]
    return "\n".join(_format_table([names, ["---"] * len(names), values]) for names, values in (weights, gains))


def format_transfer(results: Mapping[str, Any]) -> str:
    """Return the table of gains on data sets whose judgments were left out."""
    rows = [["scored, not fitted on", "gain over `sentence-cosine`", "in standard errors"], ["---"] * 3]
    for name, found in results.items():
        interval = f"{found['gain']:+.2f} [{found['low']:+.2f}, {found['high']:+.2f}]"
        rows.append([name, interval, f"{found['errors']:+.1f}"])
    return _format_table(rows)


def _format_table(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
