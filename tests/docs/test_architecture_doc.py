"""Tests that the files, folders and functions named in docs/architecture.md exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text()
WALKS = TEXT.partition("## Four examples of control flow")[2].partition("\n## ")[0]
FILES = sorted(set(re.findall(r"`([\w/]+\.(?:py|md|toml))`", TEXT)))
FOLDERS = sorted(set(re.findall(r"`((?:[a-z_]+/)+)`", TEXT)))
FUNCTIONS = re.findall(r"`([\w/]+\.py)`(?:,?\s+\(?)`(\w+)`\)", WALKS)


def list_definitions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("path", FILES)
def test_files_are_there(path):
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("path", FOLDERS)
def test_folders_are_there(path):
    # Tables of packages name them as seen from the package that they are in.
    parents = (
        ROOT,
        ROOT / "studies",
        ROOT / "correlation",
        ROOT / "metrics_plugins",
        ROOT / "captioning",
        ROOT / "annotation_ui",
        ROOT / "tests",
    )
    assert any((parent / path).is_dir() for parent in parents)


@pytest.mark.parametrize(("path", "name"), FUNCTIONS)
def test_functions_are_where_the_walks_say(path, name):
    assert name in list_definitions(path)


def test_each_step_of_the_four_journeys_names_a_function():
    stops = re.findall(r"^\d+\. (.*?)(?=^\d+\. |^###|\Z)", WALKS, re.MULTILINE | re.DOTALL)

    assert len(stops) == 5 + 6 + 9 + 7
    assert [stop for stop in stops if not re.search(r"`[\w/]+\.py`\s+\(`\w+`\)", stop)] == []
    assert len(FUNCTIONS) > len(stops)
