"""Tests of single values."""

from collections.abc import Callable
from typing import Any

import pytest

from studies.datasets.importing.values import check_name, read_count, read_key, read_number, read_text
from studies.shared.errors import ImportFailed, SourceLocation

PLACE = SourceLocation("f.csv", "line 2", "x")


@pytest.mark.parametrize(
    ("value", "number"), [("3", 3.0), (" 2.5 ", 2.5), ("-1", -1.0), ("1e2", 100.0), (".5", 0.5), (4, 4.0), (0.25, 0.25)]
)
def test_reads_numbers(value: object, number: float) -> None:
    assert read_number(value, PLACE) == number


@pytest.mark.parametrize(("value", "key"), [("a b", "a b"), (42, "42"), ("042", "042")])
def test_reads_keys(value: object, key: str) -> None:
    assert read_key(value, PLACE, longest=10) == key


@pytest.mark.parametrize("text", ["", "  a ", "a\u2028b\r\n"])
def test_keeps_text_as_it_is(text: str) -> None:
    assert read_text(text, PLACE) == text


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: read_number("", PLACE), "must be a number, got ''"),
        (lambda: read_number("nan", PLACE), "must be a number, got 'nan'"),
        (lambda: read_number("1_0", PLACE), "must be a number, got '1_0'"),
        (lambda: read_number("\u0663", PLACE), "must be a number, got '\u0663'"),
        (lambda: read_number("1e999", PLACE), "must be a finite number, got 1e999"),
        (lambda: read_number(float("nan"), PLACE), "must be a finite number, got nan"),
        (lambda: read_number(True, PLACE), "must be a number, got True"),
        (lambda: read_number([1], PLACE), "must be a number, got [1]"),
        (lambda: read_text(1, PLACE), "must be text, got 1"),
        (lambda: read_text("a\0", PLACE), "must not contain the character NUL, got 'a\\x00'"),
        (
            lambda: read_text("a\ud800", PLACE),
            "must be text without unpaired surrogates, got 'a\\ud800'",
        ),
        (lambda: read_key(" ", PLACE, longest=5), "must not be blank"),
        (lambda: read_key(True, PLACE, longest=5), "must be text, got True"),
        (lambda: read_key(1.0, PLACE, longest=5), "must be text, got 1.0"),
        (lambda: read_key(10**5_000, PLACE, longest=5), "must have at most 30 digits"),
        (lambda: read_key("abcdef", PLACE, longest=5), "may have at most 5 characters, got 6: abcdef..."),
        (lambda: read_count("4", PLACE, most=3), "must be a whole number from 0 to 3, got '4'"),
        (lambda: read_count("\u0661", PLACE, most=3), "must be a whole number from 0 to 3, got '\u0661'"),
    ],
)
def test_refuses_a_bad_value(read: Callable[[], Any], message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        read()
    assert str(caught.value) == f"f.csv, line 2, field x: {message}"


@pytest.mark.parametrize("name", ["", "a b", "a/b", "\u00e9", "x" * 91, "a\n"])
def test_refuses_a_name_that_addresses_cannot_hold(name: str) -> None:
    with pytest.raises(ImportFailed, match=r"^--study: must be 1 to 90 letters, digits, hyphens and underscores, got "):
        check_name(name)
