"""Tests of the wording of messages."""

import pytest

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted, quote


@pytest.mark.parametrize(
    ("location", "got", "message"),
    [
        (SourceLocation("a.txt", "line 3", "rating"), "5", "a.txt, line 3, field rating: must be 1, got '5'"),
        (SourceLocation("a.txt"), Unquoted(""), "a.txt: must be 1"),
        (SourceLocation("a.txt"), None, "a.txt: must be 1, got None"),
        (SourceLocation("a.txt", field="x"), Unquoted("a list"), "a.txt, field x: must be 1, got a list"),
        ("--scale", 5, "--scale: must be 1, got 5"),
    ],
)
def test_message_names_location_rule_and_value(location: SourceLocation | str, got: object, message: str) -> None:
    assert str(ImportFailed(location, "must be 1", got=got)) == message


def test_quotes_in_one_short_line() -> None:
    assert quote("a\nb") == "'a\\nb'"
    assert quote("x" * 10**6) == "'" + "x" * 76 + "..."
