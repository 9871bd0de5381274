"""Tests of the explorer's tables: typographic minus signs for people, plain ones for programs."""

from studies.analysis.explorer.tables import PlainTable, print_csv, print_latex, print_markdown

TABLE = PlainTable(
    "Differences", ("pair", "difference", "n"), 1, (("a - b", -0.0812, 1200), ("c_1 - d", -0.0001, 3), ("e", None, 2))
)


def test_cells_on_paper():
    assert TABLE.printed_rows == (
        ("a - b", "\N{MINUS SIGN}0.081", "1,200"),
        ("c_1 - d", "0.000", "3"),
        ("e", "\N{EN DASH}", "2"),
    )


def test_latex_sets_a_negative_number_as_one():
    assert "a - b & $-$0.081 & 1,200 \\\\" in print_latex(TABLE)
    assert "c\\_1 - d & 0.000 & 3 \\\\" in print_latex(TABLE)
    assert "e & -- & 2 \\\\" in print_latex(TABLE)


def test_markdown_is_for_reading():
    assert "| a - b | \N{MINUS SIGN}0.081 | 1,200 |" in print_markdown(TABLE)


def test_csv_is_exact():
    assert print_csv(TABLE) == "pair,difference,n\na - b,-0.0812,1200\nc_1 - d,-0.0001,3\ne,,2\n"
