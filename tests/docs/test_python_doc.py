"""Tests the examples of docs/python.md, and that the page tells every function."""

import re
from pathlib import Path

import pytest

import accordance
from tests.docs.examples import run_examples

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()


@pytest.mark.parametrize("name", ["check", "load", "score", "correlate", "compare", "compare_systems"])
def test_function_is_told(name: str) -> None:
    assert name in accordance.__all__
    assert re.search(rf"accordance\.{name}\(", PAGE)


def test_examples_print_what_the_page_says() -> None:
    results = run_examples(PAGE, name="python.md")

    assert results.failed == 0
    assert results.attempted > 10
