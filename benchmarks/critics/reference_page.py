"""The tables on `critic-reference` of docs/critics.md, from the results of its two benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "critics.md"
BEGIN: Final = "<!-- python -m benchmarks.critics.reference writes from here ... -->"
END: Final = "<!-- ... to here, on critic-reference -->"
CHOICE_BEGIN: Final = "<!-- python -m benchmarks.critics.reference_choice writes from here ... -->"
CHOICE_END: Final = "<!-- ... to here, on its weights -->"
CHOICES: Final = {
    "equal": "equal, chosen by nobody",
    "development": "chosen on the development half, in the package",
    "held back": "chosen on the half held back",
}


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers of the page."""
    _replace(page, BEGIN, END, format_results(results))


def write_choice(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers for weights."""
    _replace(page, CHOICE_BEGIN, CHOICE_END, format_choice(results))


def _replace(page: Path, begin: str, end: str, content: str) -> None:
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{content}\n{end}{after}")


def format_results(results: Mapping[str, Any]) -> str:
    """Return two tables: the contribution of each part, and the intervals of the whole."""
    sets = results["sets"]
    lines = [
        ["x100: development / held back / all", *sets],
        ["---"] * (1 + len(sets)),
        *(
            [name, *(" / ".join(f"{value:.2f}" for value in found["rows"][name]) for found in sets.values())]
            for name in next(iter(sets.values()))["rows"]
        ),
    ]
    sure = [
        ["data", "`sentence-cosine`", "`critic-reference`", "p (PERM-BOTH)"],
        ["---"] * 4,
        *(
            [name, *(_format_interval(found, metric) for metric in found["intervals"]), f"{found['p']:.4f}"]
            for name, found in sets.items()
        ),
    ]
    return "\n".join(map(_format_table, (lines, sure)))


def format_choice(results: Mapping[str, Any]) -> str:
    """Return the table of weights and their results; its last row is for images not used in the choice."""
    lines = [["weights x100: development / held back / all", "precision, recall, mean, best", *results["sets"]]]
    lines.append(["---"] * len(lines[0]))
    for name, row in results["rows"].items():
        halves = zip(*row["numbers"].values(), strict=True)
        numbers = [" / ".join(f"{value:.2f}" for value in values) for values in halves]
        lines.append([CHOICES[name], ", ".join(f"{weight:g}" for weight in row["weights"]), *numbers])
    lines.append(
        ["mean over halves of what was chosen on the other", "", *(f"{each:.2f}" for each in results["unseen"])]
    )
    return _format_table(lines)


def _format_table(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _format_interval(found: Mapping[str, Any], metric: str) -> str:
    low, high = found["intervals"][metric]
    return f"{found['rows'][metric][-1]:.2f} [{low:.2f}, {high:.2f}]"
