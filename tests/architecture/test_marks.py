"""Marks stand where the Makefile looks for the files of a part: written out in files of tests."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
OF_PARTS = re.compile(r"mark\.(slow|alone|browser)\b|\bimport mark\b|getattr\(pytest\.mark")


def test_marks_of_parts_stand_in_files_of_tests():
    others = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_")]

    marking = [str(path.relative_to(TESTS)) for path in others if OF_PARTS.search(path.read_text(encoding="utf-8"))]

    assert len(others) > 50
    assert marking == []


def test_files_of_tests_write_marks_out():
    files = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__).resolve()]
    short = [
        str(path.relative_to(TESTS))
        for path in files
        if re.search(
            r"^from pytest import .*\bmark\b|\w+ = pytest\.mark$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]

    assert short == []
