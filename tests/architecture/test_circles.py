"""Tests that no files import each other in a circle, wherever the imports are in a file."""

import ast
from collections.abc import Iterator, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture.packages import PACKAGES, ROOT


def test_no_file_imports_another_in_a_circle() -> None:
    sort_files(ROOT)


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "first.py").write_text("from jobs import second\n")
    (tmp_path / "jobs" / "second.py").write_text("def load():\n    from jobs.first import load\n")

    with pytest.raises(CycleError):
        sort_files(tmp_path)


def sort_files(root: Path) -> tuple[str, ...]:
    """Return every module after those that it imports; raises `CycleError` where there is a circle."""
    files = {_name_module(path.relative_to(root)): path for name in PACKAGES for path in (root / name).rglob("*.py")}
    graph = {module: set(_list_imports(path, files.keys())) & files.keys() - {module} for module, path in files.items()}
    return tuple(TopologicalSorter(graph).static_order())


def _name_module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _list_imports(path: Path, modules: Set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A package's module is imported out of it, or something that the package's own file defines.
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else node.module for name in names)
