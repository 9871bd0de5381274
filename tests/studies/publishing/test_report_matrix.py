"""Tests of the matrix of studies: newest reports, stale ones, versions, the command and its files."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from correlation.reports import Report
from correlation.reports.values import ReportMetric
from studies.models import Study
from studies.publishing.freezing import freeze_report
from studies.publishing.report_matrix import find_human_reports, find_newest_reports, make_matrix
from tests.correlation.reports.example import REPORT, make_pairs_report
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def run(*arguments):
    out, err = StringIO(), StringIO()
    call_command("matrix", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def studies():
    first = make_rated_study("first")
    second = make_rated_study("second")
    freeze_report(first, make_pairs_report(), now=NOW)
    freeze_report(first, REPORT, now=NOW)
    freeze_report(second, REPORT, now=NOW)
    return first, second


def test_each_study_takes_part_with_its_newest_report_that_is_not_stale(studies):
    first, _ = studies
    make_rated_study("unreported")
    assert [(each.study.name, each.number) for each in find_newest_reports(Study.objects.all())] == [
        ("first", 2),
        ("second", 1),
    ]

    first.reports.filter(number=2).update(stale_since=NOW, stale_reason="a rater withdrew")

    newest = find_newest_reports(Study.objects.all())
    assert [(each.study.name, each.number) for each in newest] == [("first", 1), ("second", 1)]


def test_a_metric_of_different_versions_and_a_stale_report_are_told(studies):
    first, second = studies
    changed = Report(
        **{name: getattr(REPORT, name) for name in Report.__dataclass_fields__ if name != "metrics"},
        metrics=(ReportMetric("spice_u", "spice-u|v:2 / p@1"), *REPORT.metrics[1:]),
    )
    freeze_report(second, changed, now=NOW)
    first.reports.filter(number=2).update(stale_since=NOW, stale_reason="a rater withdrew")

    made = make_matrix([first.reports.get(number=2), second.reports.get(number=2)])

    assert made.notes == (
        "Report 2 of first is stale: a rater withdrew.",
        "first: something was not made.",
        "second: something was not made.",
        "spice_u: version 1 on first; version 2 on second.",
    )


def test_the_command_prints_or_writes_what_is_named(studies, tmp_path):
    text, notes = run()
    assert text.startswith("| metric | mean rank | first: Kendall τ-c | second: Kendall τ-c |")
    assert notes == "note: first: something was not made.\nnote: second: something was not made.\n"

    assert "| metric | mean rank | first: accuracy, mean |" in run("first:1")[0]
    run("second", "first:1", "--out", str(tmp_path / "m.json"))
    records = json.loads((tmp_path / "m.json").read_text())["values"]
    assert [each["study"] for each in records] == ["second"] * 4 + ["first"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["third"], "there is no study 'third'"),
        (["first:9"], "study first has no report 9"),
        (["first:x"], "must be an integer, got 'first:x'"),
        (["bare"], "study bare has no report that is up to date; run: manage.py freeze_report bare"),
        (["first", "--out", "m.pdf"], "a matrix is written as md, csv, json, got m.pdf"),
    ],
)
def test_what_it_cannot_do_is_refused(studies, arguments, message):
    make_rated_study("bare")
    with pytest.raises(CommandError, match=message):
        run(*arguments)


def test_computed_and_simulated_judgments_are_left_out_unless_they_are_named(studies):
    first, _ = studies
    Study.objects.filter(pk=first.pk).update(is_computed=True)
    first.reports.update(facts={"is_computed": True})

    assert [each.study.name for each in find_human_reports(Study.objects.all())] == ["second"]
    text, notes = run("first")
    assert "The judgments of first are computed, not human." in text
    assert "The judgments of first are computed, not human." in notes


def test_a_study_has_one_column(studies):
    with pytest.raises(CommandError, match="a study has one column in a matrix, got: first:1, first:2"):
        run("first:1", "first:2")


def test_no_reports_at_all_are_refused():
    with pytest.raises(CommandError, match="no study has a report that is up to date"):
        run()
