"""How results are shown in notebooks: figures as SVG, and tables as HTML with every text escaped."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A Vega-Lite specification, which notebooks display as an SVG."""

    specification: Mapping[str, Any]

    def render(self, file_format: str) -> bytes:
        """Return the figure as `svg`, `png` or `pdf`."""
        from correlation.figures import render

        return render(self.specification, file_format)

    def __repr__(self) -> str:
        title = self.specification.get("title", {}).get("text", "")
        return f"Figure({title!r})" if title else "Figure()"

    def _repr_svg_(self) -> str:
        return self.render("svg").decode()


def format_html(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str, signature: str) -> str:
    """Return a table; numbers have four decimals, and None is empty."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(print_cell(cell))}</td>' for cell in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}: <code>{escape(signature)}</code></caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def print_cell(value: object) -> str:
    """Return a cell as text: "undefined" for NaN, "" for None."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    return "undefined" if math.isnan(value) else f"{value:.4f}"
