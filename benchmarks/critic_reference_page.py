"""The table on `critic-reference` of docs/critics.md, from the results of `benchmarks.critic_reference`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "critics.md"
BEGIN: Final = "<!-- python -m benchmarks.critic_reference writes from here ... -->"
END: Final = "<!-- ... to here, on critic-reference -->"


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace what stands between the marks of the page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{format_results(results)}\n{END}{after}")


def format_results(results: Mapping[str, Any]) -> str:
    """Return the two tables: what each part brings, and how sure the whole is."""
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
    return "\n".join("".join(f"| {' | '.join(row)} |\n" for row in table) for table in (lines, sure))


def _format_interval(found: Mapping[str, Any], metric: str) -> str:
    low, high = found["intervals"][metric]
    return f"{found['rows'][metric][-1]:.2f} [{low:.2f}, {high:.2f}]"
