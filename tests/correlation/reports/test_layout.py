import pytest

from correlation.reports.layout import (
    TITLES,
    NumberStyle,
    arrange_ceilings,
    arrange_metrics,
    head_columns,
    write_sentences,
)
from tests.correlation.reports.example import CEILINGS, REPORT, ROWS, make_pairs_report


def test_lines_hold_cells_best_and_counts():
    lines = arrange_metrics(REPORT)

    assert [(line.name, line.cells, line.best, line.n, line.n_missing) for line in lines] == [
        ("spice_u", (ROWS[0], None), (True, False), 16992, 3),
        ("cider|d", (ROWS[1], None), (False, False), 16995, 0),
        ("length", (ROWS[2], None), (False, False), 0, 16995),
    ]


def test_equal_values_are_all_best():
    assert [line.best for line in arrange_metrics(make_pairs_report())] == [(True, True, True), (True, False, False)]


def test_each_ceiling_is_in_the_column_of_its_own_coefficient():
    lines = arrange_ceilings(REPORT)

    assert head_columns(REPORT, TITLES) == ("Kendall τ-c", "Kendall τ-b, people only")
    assert [(line.name, line.cells) for line in lines] == [("people, mean-pairwise", (CEILINGS[0], CEILINGS[1]))]


def test_heads_name_the_category():
    assert head_columns(make_pairs_report(), TITLES) == ("accuracy, HC", "accuracy, H_M", "accuracy, mean")


def test_sentences_explain_every_mark():
    assert write_sentences(REPORT) == (
        "In brackets: 95 % percentile intervals over images x raters, 1,000 resamples.",
        "Letters: two metrics share a letter if and only if no significant difference was found between them "
        "(perm-both, 1,000 resamples, Holm, alpha 0.05).",
        "They compare rows with scores of all metrics; up to 5 are left out.",
        "†: above the human ceiling.",
        "length: undefined, the score is 1 throughout.",
        "Something was not made.",
        "Seed 7.",
    )
    assert write_sentences(make_pairs_report()) == ("Seed 7.",)


@pytest.mark.parametrize(
    ("digits", "percent", "printed"), [(None, False, "0.123"), (None, True, "12.3"), (1, False, "0.1"), (0, True, "12")]
)
def test_digits_follow_the_unit_unless_chosen(digits, percent, printed):
    assert NumberStyle.choose(digits, percent=percent).print_value(0.12345) == printed
