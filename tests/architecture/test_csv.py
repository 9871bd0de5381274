"""Tests that CSV is written in only two modules, one for each pure package, with the same protection from formulas."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from correlation import csv_lines as of_correlation
from metrics_plugins.text import csv_lines as of_metrics
from tests.architecture.packages import PACKAGES, ROOT

WRITERS = {"correlation/csv_lines.py", "metrics_plugins/text/csv_lines.py"}
_NAMES = {"writer", "DictWriter"}


def find_writers(source: str) -> list[int]:
    """Return the lines in which a module writes CSV by itself: with the module `csv` or with pandas."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found += [node.lineno] if node.value.id == "csv" and node.attr in _NAMES else []
        if isinstance(node, ast.ImportFrom) and node.module == "csv":
            found += [node.lineno for name in node.names if name.name in _NAMES]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to_csv":
            # A report's own takes the name of a part at the most; that of pandas takes a path and options.
            found += [node.lineno] if node.keywords or not all(map(_is_part, node.args)) else []
    return found


def _is_part(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("values", "differences")


def test_only_two_modules_write_csv() -> None:
    files = [path for package in (*PACKAGES, "benchmarks") for path in sorted((ROOT / package).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): find_writers(path.read_text()) for path in files}

    assert len(files) > 300
    assert {path for path, lines in found.items() if lines} == WRITERS


def test_a_planted_writer_is_found() -> None:
    planted = "import csv\nfrom csv import DictWriter\nlines = csv.writer(file)\nframe.to_csv(path)\nreport.to_csv()\n"

    assert sorted(find_writers(planted)) == [2, 3, 4]


@given(st.text() | st.text(alphabet="=+-@\t\r\n \u200b\ufeff1a,'\""))
def test_both_csv_writers_give_the_same_text(text: str) -> None:
    theirs = "".join(of_correlation.write_csv([text], [[text, 1.5, None]], line_end="\n"))

    assert of_metrics.format_csv([text], [[text, 1.5, None]]) == theirs
