"""Tests of CSV: cells are quoted if needed, exact, and never formulas."""

import csv
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from correlation.csv_lines import guard_text, write_csv


def test_what_needs_quotes_has_them() -> None:
    assert list(write_csv(["text"], [['a, "b"\nc']])) == ["text\r\n", '"a, ""b""\nc"\r\n']


def test_cells_are_exact_and_missing_ones_empty() -> None:
    row = [0.1 + 0.2, None, True, ["a", 1], {"b": "é"}, datetime(2025, 3, 1, tzinfo=UTC), Decimal("-1.50"), -2]

    _, line = write_csv(["name"] * len(row), [row], line_end="\n")

    assert next(csv.reader([line])) == [
        "0.30000000000000004", "", "1", '["a",1]', '{"b":"é"}', "2025-03-01T00:00:00+00:00", "-1.50", "-2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        '=HYPERLINK("https://example.org")',
        "+1+1",
        "-1+cmd|'/C calc'!A0",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "\u200b=1",
        "\ufeff=1",
        "\u202e=1",
        "＝1",  # noqa: RUF001 - a wide sign, which spreadsheets take as well
    ],
)
def test_formulas_are_guarded(text) -> None:
    header, line = write_csv([text], [[text]])

    assert guard_text(text) == f"'{text}"
    assert [next(csv.reader([each], strict=True))[0] for each in (header, line)] == [f"'{text}"] * 2
    assert "".join(write_csv([], [[text]], guards=False)).endswith("\r\n")
    assert guard_text(guard_text(text)) == guard_text(text)


@pytest.mark.parametrize(
    "text", ["", "A dog = a friend", "-1.5", "+2", "-1e-05", "'quoted'", "(=1)", "é", "#1", "-inf"]
)
def test_other_text_is_as_it_was(text) -> None:
    assert guard_text(text) == text
