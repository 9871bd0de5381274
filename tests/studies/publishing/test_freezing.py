"""Tests that frozen reports do not change, and show when they are outdated."""

from datetime import timedelta
from random import Random

import pytest

from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collection.privacy.withdrawal import withdraw
from studies.models import FrozenReport
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.publishing.freezing import UnknownReport, freeze_report, load_report
from studies.shared.reports import mark_stale
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


def _freeze(study, now=NOW):
    return freeze_report(study, report_observations(gather_observations(study), seed=1), now=now)


def test_reports_are_numbered_and_give_back_what_they_said():
    study = make_rated_study()
    report = report_observations(gather_observations(study), seed=1)

    first, second = freeze_report(study, report, now=NOW), freeze_report(study, report, now=LATER)

    assert (first.number, second.number) == (1, 2)
    assert first.digest == second.digest
    kept, loaded = load_report(study, 1)
    assert kept == first
    assert loaded == report


def test_unknown_number_names_those_there_are():
    study = make_rated_study()
    with pytest.raises(UnknownReport, match=r"no report 1 \(known: none\)"):
        load_report(study, 1)
    _freeze(study)
    with pytest.raises(UnknownReport, match=r"no report 7 \(known: 1\)"):
        load_report(study, 7)


@pytest.mark.parametrize("erases", [True, False])
def test_withdrawal_marks_reports_only_if_judgments_go(erases):
    study = make_rated_study()
    frozen = _freeze(study)

    withdraw(study.raters.first(), erase_judgments=erases, now=LATER, rng=Random(1))

    frozen.refresh_from_db()
    reason = "a rater withdrew, and judgments were erased"
    assert (frozen.stale_since, frozen.stale_reason) == ((LATER, reason) if erases else (None, ""))


def test_exclusion_and_its_end_mark_reports_and_the_first_reason_stays():
    study, other = make_rated_study(), make_rated_study("other")
    first, elsewhere = _freeze(study), _freeze(other)

    exclude_rater(study.raters.first(), reason="too fast", now=LATER)
    between = _freeze(study, now=LATER)
    lift_exclusion(study.raters.first(), now=LATER + timedelta(days=1))

    for report in (first, between, elsewhere):
        report.refresh_from_db()
    assert [report.stale_reason for report in (first, between, elsewhere)] == [
        "a rater was excluded",
        "the exclusion of a rater was lifted",
        "",
    ]


def test_content_stays_when_a_report_gets_stale():
    study = make_rated_study()
    frozen = _freeze(study)

    assert mark_stale(study, reason="because", now=LATER) == 1
    assert mark_stale(study, reason="again", now=LATER) == 0

    kept = FrozenReport.objects.get()
    assert (kept.content, kept.digest, kept.stale_reason) == (frozen.content, frozen.digest, "because")
