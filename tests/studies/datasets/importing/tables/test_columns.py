"""Column choices and scales."""

import pytest

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.tables.columns import match_columns, parse_scale
from studies.shared.errors import ImportFailed, SourceLocation

TABLE = Table("t.csv", ("image", "TEXT", "value", "r1", "r2"), [Record(SourceLocation("t.csv", "line 2"), {})])


def test_a_field_defaults_to_the_column_of_its_name() -> None:
    columns = match_columns(["candidate=TEXT", "reference=r2", "reference=r1"], table=TABLE)

    chosen = {field: names for field, names in columns.by_field.items() if names}
    assert chosen == {"image": ("image",), "candidate": ("TEXT",), "value": ("value",), "reference": ("r2", "r1")}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            ["TEXT"],
            "--column: must be FIELD=COLUMN with a field of image, candidate, value, rater, system, other_candidate, "
            "other_system, anchor, category, reference, got 'TEXT'",
        ),
        (
            ["caption=TEXT"],
            "--column: must be FIELD=COLUMN with a field of image, candidate, value, rater, system, other_candidate, "
            "other_system, anchor, category, reference, got 'caption=TEXT'",
        ),
        (
            ["candidate=text"],
            "--column candidate: must name a column of t.csv (image, TEXT, value, r1, r2), got 'text'",
        ),
        (["candidate=r1", "candidate=r2"], "--column candidate: can have one column only, got r1, r2"),
        (
            [],
            "t.csv: needs --column candidate=COLUMN, for the table has no column candidate, "
            "got image, TEXT, value, r1, r2",
        ),
    ],
)
def test_refuses_a_bad_choice(choices: list[str], message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        match_columns(choices, table=TABLE)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "values"),
    [("1-4", (1.0, 2.0, 3.0, 4.0)), ("0-1", (0.0, 1.0)), ("1,2,3", (1.0, 2.0, 3.0)), ("-1, 0.5", (-1.0, 0.5))],
)
def test_reads_scales(text: str, values: tuple[float, ...]) -> None:
    assert parse_scale(text) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5-1", "--scale: must rise, by at most 1000 steps, got '5-1'"),
        ("0-100000", "--scale: must rise, by at most 1000 steps, got '0-100000'"),
        ("1,3,2", "--scale: must be a range 1-5 or at least two rising values 1,2,3,4, got '1,3,2'"),
        ("1", "--scale: must be a range 1-5 or at least two rising values 1,2,3,4, got '1'"),
        ("1,two", "--scale: must be a number, got 'two'"),
    ],
)
def test_refuses_bad_scales(text: str, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        parse_scale(text)
    assert str(caught.value) == message
