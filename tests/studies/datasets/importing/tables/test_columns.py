"""Tests of the choice of columns and of scales."""

import pytest

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.tables.columns import FIELDS, match_columns, parse_scale
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
            f"--column: must be FIELD=COLUMN with a field of {', '.join(FIELDS)}, got 'TEXT'",
        ),
        (
            ["caption=TEXT"],
            f"--column: must be FIELD=COLUMN with a field of {', '.join(FIELDS)}, got 'caption=TEXT'",
        ),
        (
            ["candidate=text"],
            "--column candidate: must name a column of t.csv (image, TEXT, value, r1, r2), got 'text'",
        ),
        (["candidate=r1", "candidate=r2"], "--column candidate: may be given for one column only, got r1, r2"),
        (
            [],
            "t.csv: needs --column candidate=COLUMN, because the table has no column candidate, "
            "got image, TEXT, value, r1, r2",
        ),
    ],
)
def test_refuses_a_bad_choice(choices: list[str], message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        match_columns(choices, table=TABLE)
    assert str(caught.value) == message


CRITERIA = Table("t.csv", ("system", "M1", "M2"), [])


def test_a_column_may_be_taken_for_one_field_only() -> None:
    table = Table("t.csv", ("image", "candidate", "rater", "who"), [])

    # The column rater has the values, so that it is not the field of its name.
    columns = match_columns(["value=rater", "rater=who"], table=table)

    assert (columns.by_field["value"], columns.by_field["rater"]) == (("rater",), ("who",))


def test_criteria_of_a_protocol_are_values() -> None:
    columns = match_columns([], table=CRITERIA, criteria=("M1", "M2"))

    assert (columns.criteria, columns.are_of_systems) == (("M1", "M2"), True)


@pytest.mark.parametrize(
    ("names", "choices", "message"),
    [
        (
            ("image", "candidate", "value", "age", "sex"),
            [],
            "t.csv: may have only columns of fields: assign each by --column FIELD=COLUMN, or ignore them by "
            "--ignore-columns, got age, sex",
        ),
        (
            ("image", "candidate", "a", "b", "criterion"),
            ["value=a", "value=b"],
            "--column criterion: cannot be given with several columns of values, got criterion",
        ),
        (
            ("image", "candidate", "a", "b", "category"),
            ["value=a", "value=b"],
            "--column category: cannot be given where there are several criteria, got category",
        ),
        (
            ("system", "value", "anchor"),
            [],
            "--column anchor: needs image and candidate, got anchor",
        ),
        (
            ("image", "candidate", "other_candidate", "value", "r"),
            ["other_row_reference=r"],
            "--column other_row_reference: needs row_reference, got r",
        ),
    ],
)
def test_refuses_columns_that_do_not_fit(names: tuple[str, ...], choices: list[str], message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        match_columns(choices, table=Table("t.csv", names, []))
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
        ("5-1", "--scale: must increase, with at most 1000 steps, got '5-1'"),
        ("0-100000", "--scale: must increase, with at most 1000 steps, got '0-100000'"),
        (
            "1,3,2",
            "--scale: must be a range such as 1-5, or at least two increasing values such as 1,2,3,4, got '1,3,2'",
        ),
        ("1", "--scale: must be a range such as 1-5, or at least two increasing values such as 1,2,3,4, got '1'"),
        ("1,two", "--scale: must be a number, got 'two'"),
    ],
)
def test_refuses_bad_scales(text: str, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        parse_scale(text)
    assert str(caught.value) == message
