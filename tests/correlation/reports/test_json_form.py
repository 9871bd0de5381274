import json
from dataclasses import replace

import pytest

from correlation.errors import CorrelationInputError
from correlation.reports.json_form import print_json, read_report
from tests.correlation.reports.example import REPORT, make_pairs_report


@pytest.mark.parametrize("report", [REPORT, make_pairs_report()])
def test_report_comes_back_and_prints_the_same_bytes(report):
    text = print_json(report)

    assert read_report(text) == report
    assert print_json(read_report(text)) == text


def test_form_is_that_of_the_fields_with_null_for_undefined():
    record = json.loads(print_json(REPORT))

    assert list(record) == [
        "format",
        "title",
        "protocol",
        "metrics",
        "rows",
        "ceilings",
        "differences",
        "design",
        "notes",
    ]
    assert record["format"] == "accordance-report@1"
    assert record["rows"][2] == {
        "metric": "length",
        "level": "item",
        "coefficient": "kendall-c",
        "category": None,
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "n_missing": 16995,
        "letters": None,
        "is_above_ceiling": False,
        "p_value": None,
        "reason": "the score is 1 throughout",
        "caution": None,
    }
    assert record["design"]["clusters"] == ["images", "raters"]


def test_float_comes_back_exactly_and_whole_number_stays_a_float():
    report = replace(REPORT, rows=(replace(REPORT.rows[0], value=0.1 + 0.2, low=1.0),))

    row = read_report(print_json(report).replace("1.0", "1")).rows[0]

    assert (row.value, row.low, type(row.low)) == (0.30000000000000004, 1.0, float)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"format"', '"farmat"', "must have format 'accordance-report@1', got None"),
        ("{", "[", "a report must be JSON: "),
        ('"n": 16992', '"n": "many"', r"`report.rows\[0\].n` must be int, got 'many'"),
        ('"n": 16992', '"n": true', r"`report.rows\[0\].n` must be int, got True"),
        ('"low": 0.49', '"low": "x"', r"`report.rows\[0\].low` must be float or null, got 'x'"),
        ('"low": 0.49', '"bottom": 0.49', r"`report.rows\[0\]` must have the fields .*; wrong: bottom, low"),
        ('"seed": 7', '"seed": null', "`report.design.seed` must be int, got None"),
        ('"images"', "3", r"`report.design.clusters\[0\]` must be str, got 3"),
        ('"title"', '"name"', "`report` must have the fields .*; wrong: name, title"),
    ],
)
def test_wrong_field_is_named(old, new, message):
    with pytest.raises(CorrelationInputError, match=message):
        read_report(print_json(REPORT).replace(old, new, 1))


@pytest.mark.parametrize(("text", "found"), [("[]", "'list'"), ('{"format": 1}', "1")])
def test_other_json_is_refused(text, found):
    with pytest.raises(CorrelationInputError, match=f"must have format 'accordance-report@1', got {found}"):
        read_report(text)


@pytest.mark.parametrize(
    ("field", "content", "message"),
    [
        ("rows", [3], r"`report.rows\[0\]` must be an object, got 3"),
        ("rows", 3, "`report.rows` must be tuple, got 3"),
        ("design", None, "`report.design` must be an object, got None"),
    ],
)
def test_wrong_part_is_named(field, content, message):
    record = json.loads(print_json(REPORT)) | {field: content}

    with pytest.raises(CorrelationInputError, match=message):
        read_report(json.dumps(record))


def test_report_frozen_before_a_field_existed_has_its_default():
    record = json.loads(print_json(REPORT))
    for row in record["rows"]:
        del row["caution"]

    assert read_report(json.dumps(record)) == REPORT
