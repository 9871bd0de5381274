"""Tests of the benchmark matrix: ranks by hand, missing metrics, ceilings, output formats."""

import csv
import io
import json
from dataclasses import replace

import pytest

from correlation.errors import CorrelationInputError
from correlation.reports.matrix import build_matrix
from correlation.reports.matrix_forms import (
    print_csv_matrix,
    print_json_matrix,
    print_markdown_matrix,
    write_matrix_sentences,
)
from tests.correlation.reports.example import REPORT, ROWS, make_pairs_report


def make_report(**values):
    rows = tuple(replace(ROWS[1], metric=name, value=value, letters=None) for name, value in values.items())
    return replace(REPORT, rows=rows, metrics=(), ceilings=(), differences=())


def test_ranks_are_means_over_data_sets_and_ties_share_theirs():
    first = make_report(a=0.9, b=0.5, c=0.5, d=0.1)
    second = make_report(a=0.1, b=0.3, c=0.2, d=0.4)

    matrix = build_matrix({"first": first, "second": second})

    # By hand: ranks 1, 2.5, 2.5, 4 and 4, 2, 3, 1.
    assert {line.metric: line.mean_rank for line in matrix.lines} == {"b": 2.25, "a": 2.5, "d": 2.5, "c": 2.75}
    assert [line.metric for line in matrix.lines] == ["b", "a", "d", "c"]
    assert [column.name for column in matrix.columns] == ["first", "second"]


def test_metrics_without_a_value_everywhere_have_no_rank_and_do_not_move_the_others():
    matrix = build_matrix({"first": make_report(a=0.9, b=0.5, new=0.95), "second": make_report(a=0.1, b=0.3, un=None)})

    found = {line.metric: (line.mean_rank, [cell and cell.value for cell in line.cells]) for line in matrix.lines}
    assert found == {
        "a": (1.5, [0.9, 0.1]),
        "b": (1.5, [0.5, 0.3]),
        "new": (None, [0.95, None]),
        "un": (None, [None, None]),
    }
    assert matrix.n_ranked == 2


def test_a_report_takes_part_with_the_measure_that_ranks_its_metrics_and_its_ceiling():
    matrix = build_matrix({"expert": REPORT, "pairs": make_pairs_report()})

    assert [column.measure.category for column in matrix.columns] == [None, "mean"]
    assert matrix.columns[0].ceiling == REPORT.ceilings[0]
    assert matrix.columns[1].ceiling is None
    assert {line.metric for line in matrix.lines} == {"spice_u", "cider|d", "length", "a", "b"}


def test_no_reports_give_an_empty_matrix():
    assert (
        print_json_matrix(build_matrix({}))
        == '{\n "format": "accordance-matrix@1",\n "cautions": [],\n "notes": [],\n "values": []\n}\n'
    )


def test_a_report_without_rows_is_refused():
    with pytest.raises(CorrelationInputError, match="the report on empty has no rows"):
        build_matrix({"empty": replace(REPORT, rows=())})


def test_markdown_marks_the_best_and_tells_intervals_letters_ceilings_and_protocols():
    text = print_markdown_matrix(build_matrix({"expert": REPORT}))

    assert text.splitlines()[:6] == [
        "| metric | mean rank | expert: Kendall τ-c |",
        "| --- | ---: | --- |",
        "| spice\\_u | 1.0 | **0.512** [0.490, 0.535] a † |",
        "| cider\\|d | 2.0 | -0.062 [-0.125, 0.000] b |",
        "| length |  | undefined |",
        "| *people* |  | 0.500 [0.450, 0.550] |",
    ]
    assert text.endswith("- expert: `flickr8k-expert@1|rows:all`\n")
    assert "3 of 16,995 rows of expert are left out for spice\\_u: they have no score" in text
    assert "Mean rank over 1 study of the 2 metrics" in text


def test_a_study_with_few_images_has_a_caution_in_its_column():
    few = "only 3 images, fewer than 10"
    rows = tuple(replace(row, caution=few) if row.metric != "length" else row for row in ROWS)
    other = replace(ROWS[0], coefficient="pearson", caution="of a measure that the matrix does not show")

    matrix = build_matrix({"large": REPORT, "small": replace(REPORT, rows=(*rows, other))})

    assert [column.cautions for column in matrix.columns] == [(), (f"spice_u, cider|d: {few}",)]
    caution = f"Caution: small: spice_u, cider|d: {few}."
    assert caution.replace("_", "\\_").replace("|", "\\|") in print_markdown_matrix(matrix)
    assert json.loads(print_json_matrix(matrix))["cautions"] == [caution]


def test_sentences_explain_only_the_marks_that_are_there():
    plain = write_matrix_sentences(build_matrix({"pairs": make_pairs_report()}))
    marked = write_matrix_sentences(build_matrix({"expert": REPORT}))

    assert (len(plain), len(marked)) == (1, 6)


def test_csv_and_json_have_one_exact_record_for_each_number():
    matrix = build_matrix({"expert": REPORT, "pairs": make_pairs_report()})

    records = json.loads(print_json_matrix(matrix))["values"]
    lines = list(csv.DictReader(io.StringIO(print_csv_matrix(matrix))))

    assert len(records) == len(lines) == 3 + 1 + 2
    found = [(each["study"], each.get("metric"), each["value"]) for each in records]
    assert found == [
        ("expert", "cider|d", -0.0625),
        ("expert", "length", None),
        ("expert", "spice_u", 0.5125),
        ("expert", None, 0.5),
        ("pairs", "a", 0.625),
        ("pairs", "b", 0.5),
    ]
    assert [line["value"] for line in lines] == ["-0.0625", "", "0.5125", "0.5", "0.625", "0.5"]
    assert [line["kind"] for line in lines] == ["metric"] * 3 + ["ceiling"] + ["metric"] * 2
    assert (lines[3]["method"], lines[2]["is_above_ceiling"]) == ("mean-pairwise", "True")
