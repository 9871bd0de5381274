"""The tables on `critic-reference` of docs/critics.md, from the results of its benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.pages import replace_between
from benchmarks.critics.tables import PAGE, format_rows

BEGIN: Final = "<!-- python -m benchmarks.critics.reference writes from here ... -->"
END: Final = "<!-- ... to here, on critic-reference -->"
CHOICE_BEGIN: Final = "<!-- python -m benchmarks.critics.reference_choice writes from here ... -->"
CHOICE_END: Final = "<!-- ... to here, on its weights -->"

TRANSFER_BEGIN: Final = "<!-- python -m benchmarks.critics.judgments_transfer writes from here ... -->"
TRANSFER_END: Final = "<!-- ... to here, on other data sets -->"


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers of the page."""
    replace_between(page, BEGIN, END, content=f"\n{format_results(results)}\n")


def write_choice(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers for weights."""
    replace_between(page, CHOICE_BEGIN, CHOICE_END, content=f"\n{format_choice(results)}\n")


def write_transfer(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers for judgments of other data sets."""
    replace_between(page, TRANSFER_BEGIN, TRANSFER_END, content=f"\n{format_transfer(results)}\n")


def format_results(results: Mapping[str, Any]) -> str:
    """Return two tables: the contribution of each part, and the gains over `sentence-cosine` with intervals."""
    sets = results["sets"]
    lines = [
        ["x100: development / held back / all", *sets],
        *(
            [name, *(" / ".join(f"{value:.2f}" for value in found["rows"][name]) for found in sets.values())]
            for name in next(iter(sets.values()))["rows"]
        ),
    ]
    gains = [
        ["data", "`sentence-cosine`", "version 3: gain", "`critic-reference`", "gain"],
        *([name, *_list_gains(found)] for name, found in sets.items()),
    ]
    return "\n".join(map(format_rows, (lines, gains)))


def _list_gains(found: Mapping[str, Any]) -> list[str]:
    third, this = (f"{gain:+.2f} [{low:+.2f}, {high:+.2f}]" for gain, low, high in found["gains"].values())
    zero_shot, score = (f"{found['rows'][name][-1]:.2f}" for name in ("`sentence-cosine`", "`critic-reference`"))
    return [zero_shot, third, score, this]


def format_choice(results: Mapping[str, Any]) -> str:
    """Return two tables: the chosen weights, and the gains on the development part that they were chosen by."""
    weights = [list(results["weights"]), [f"{weight:g}" for weight in results["weights"].values()]]
    gains = [list(results["gains"]), [f"{gain:+.2f}" for gain in results["gains"].values()]]
    return "\n".join(format_rows([names, values]) for names, values in (weights, gains))


def format_transfer(results: Mapping[str, Any]) -> str:
    """Return the table of gains on data sets whose judgments were left out."""
    rows = [["scored, not fitted on", "gain over `sentence-cosine`", "in standard errors"]]
    for name, found in results.items():
        interval = f"{found['gain']:+.2f} [{found['low']:+.2f}, {found['high']:+.2f}]"
        rows.append([name, interval, f"{found['errors']:+.1f}"])
    return format_rows(rows)
