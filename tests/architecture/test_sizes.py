"""Tests of the limits for the size of folders, files and functions."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.packages import PACKAGES, ROOT

SOURCES = [
    path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts
]
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
LARGEST_FOLDER = 16
LISTS = (ROOT / "studies/management/commands",)  # Django finds commands in this one folder


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_within_the_limits(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    too_long = [
        f"{node.name}: {_count_code_lines(node)} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _count_code_lines(node) > LONGEST_FUNCTION
    ]

    assert len(text.splitlines()) <= LONGEST_FILE
    assert too_long == []
    assert not tree.body or ast.get_docstring(tree) or path.name in ("__init__.py", "apps.py"), "say its purpose"


def test_folders_are_within_the_limit() -> None:
    counts = Counter(path.parent for path in SOURCES if path.name != "__init__.py")

    too_large = {
        str(folder.relative_to(ROOT)): f"{count} modules"
        for folder, count in counts.items()
        if count > LARGEST_FOLDER and folder not in LISTS
    }

    assert too_large == {}


def _count_code_lines(function: ast.FunctionDef) -> int:
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    return (function.end_lineno or 0) - first.lineno + 1
