"""How messages read."""

import pytest

from studies.shared.errors import ImportFailed, Place, Unquoted, quote


@pytest.mark.parametrize(
    ("place", "got", "message"),
    [
        (Place("a.txt", "line 3", "rating"), "5", "a.txt, line 3, field rating: must be 1, got '5'"),
        (Place("a.txt"), Unquoted(""), "a.txt: must be 1"),
        (Place("a.txt"), None, "a.txt: must be 1, got None"),
        (Place("a.txt", field="x"), Unquoted("a list"), "a.txt, field x: must be 1, got a list"),
        ("--scale", 5, "--scale: must be 1, got 5"),
    ],
)
def test_message_names_place_rule_and_what_came(place: Place | str, got: object, message: str) -> None:
    assert str(ImportFailed(place, "must be 1", got=got)) == message


def test_quotes_in_one_short_line() -> None:
    assert quote("a\nb") == "'a\\nb'"
    assert quote("x" * 10**6) == "'" + "x" * 76 + "..."
