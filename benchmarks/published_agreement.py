"""Writes the numbers of docs/benchmark-matrix.md into the package, for the pages of metrics.

`python -m benchmarks.published_agreement`; `python -m benchmarks.matrix` does it too.
"""

import json
import re
from typing import Any

from benchmarks.captioning.pages import DOCS, ROOT

PAGE = DOCS / "benchmark-matrix.md"
FILE = ROOT / "studies" / "scoring" / "plugins" / "published_agreement.json"
_CELL = re.compile(r"\**(-?\d\.\d+)\** \[(-?\d\.\d+), (-?\d\.\d+)\]")


def read_agreement(page: str) -> dict[str, Any]:
    """Return the table of the page: its columns, and the cells of each metric (and of people) in their order."""
    _, _, rest = page.partition("<!-- matrix -->\n")
    table, _, _ = rest.partition("<!-- end -->")
    head, _, *lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.replace("\\|", "/").splitlines()
        if line.startswith("|")
    ]
    columns = [dict(zip(("study", "measure"), cell.split(": ", 1), strict=True)) for cell in head[2:]]
    cells = {line[0]: [_read_cell(cell) for cell in line[2:]] for line in lines}
    return {"columns": columns, "people": cells.pop("*people*"), "metrics": cells}


def _read_cell(cell: str) -> dict[str, Any] | None:
    found = _CELL.match(cell)
    if not found:
        return None
    value, low, high = map(float, found.groups())
    return {"value": value, "low": low, "high": high}


def write_agreement() -> None:
    """Write the numbers of the page."""
    content = json.dumps(read_agreement(PAGE.read_text(encoding="utf-8")), ensure_ascii=False, indent=1)
    FILE.write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_agreement()
