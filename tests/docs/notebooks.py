"""Runs notebooks without Jupyter: cell by cell, the last expression shown as Jupyter would show it.

`python -m tests.docs.notebooks` runs the notebooks of docs/ that need no server, and writes what they show into them.
"""

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = ("researcher.ipynb", "metric-author.ipynb", "captioner.ipynb")
_KINDS = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


def read_cells(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def run_cells(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the outputs of each code cell, in the form of the file format; all cells share their variables."""
    variables: dict[str, Any] = {"__name__": "__main__"}
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [_run(source, variables, number) for number, source in enumerate(sources, start=1)]


def _run(source: str, variables: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), variables)  # noqa: S102
        value = None
        if last:
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), variables)  # noqa: S307
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _split(printed.getvalue())})
    if value is not None:
        shown = {kind: _split(getattr(value, name)()) for name, kind in _KINDS.items() if hasattr(value, name)}
        data = {**shown, "text/plain": _split(repr(value))}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _split(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write_outputs(path: Path) -> None:
    """Run a notebook in its folder and write its outputs into it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(code, run_cells(code), strict=True), start=1):
        cell["execution_count"], cell["outputs"] = number, outputs
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        # One notebook in the current folder: print what its cells show.
        sys.stdout.write(json.dumps(run_cells(read_cells(Path(sys.argv[1])))))
    else:
        os.chdir(DOCS)
        for each in NAMES:
            write_outputs(DOCS / each)
