import pytest

from studies.management.printing.tables import format_table


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], "name  value"),
        ([("a", "1.5"), ("longer", "-10.25")], "name     value\na          1.5\nlonger  -10.25"),
    ],
)
def test_names_to_the_left_and_numbers_to_the_right(rows, expected):
    assert format_table(("name", "value"), rows) == expected
