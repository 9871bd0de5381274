"""Tests of what visitors may see: what owners made public, and never a draft; every change has an audit entry."""

import pytest

from studies.access.audit import Actor
from studies.access.publicity import public_reports, public_studies, set_report_public, set_study_public
from studies.datasets.cloning import clone_study
from studies.enums import AuditAction, Interface, StudyState
from studies.models import AuditEntry, Study
from studies.publishing.freezing import freeze_report
from tests.correlation.reports.example import REPORT
from tests.factories.studies import NOW, make_user
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED, started_at=NOW)
    study.refresh_from_db()
    return study


@pytest.fixture
def report(study):
    return freeze_report(study, REPORT, now=NOW)


@pytest.fixture
def actor():
    return Actor(user=make_user("owner"), interface=Interface.PAGE)


def test_nothing_is_public_unless_its_owner_says_so(study, report):
    assert list(public_studies()) == list(public_reports()) == []


def test_a_report_is_seen_if_both_it_and_its_study_are_public(study, report, actor):
    set_report_public(report, True, actor=actor, now=NOW)
    assert list(public_reports()) == []

    set_study_public(study, True, actor=actor, now=NOW)
    assert list(public_reports()) == [report]

    set_report_public(report, False, actor=actor, now=NOW)
    assert (list(public_studies()), list(public_reports())) == ([study], [])


def test_a_draft_is_never_seen(study, report, actor):
    set_study_public(study, True, actor=actor, now=NOW)
    set_report_public(report, True, actor=actor, now=NOW)
    Study.objects.filter(pk=study.pk).update(state=StudyState.DRAFT)

    assert list(public_studies()) == list(public_reports()) == []


def test_every_change_has_an_entry_and_no_change_has_none(study, report, actor):
    changes = [
        change(thing, is_public, actor=actor, now=NOW)
        for change, thing in ((set_study_public, study), (set_report_public, report))
        for is_public in (True, True, False, False)
    ]

    assert changes == [True, False, True, False] * 2
    entries = AuditEntry.objects.filter(study=study, actor=actor.user).order_by("pk")
    assert [(entry.action, entry.details) for entry in entries] == [
        (AuditAction.STUDY_PUBLISHED, {}),
        (AuditAction.STUDY_UNPUBLISHED, {}),
        (AuditAction.REPORT_PUBLISHED, {"report": 1}),
        (AuditAction.REPORT_UNPUBLISHED, {"report": 1}),
    ]


def test_a_clone_of_a_public_study_is_private(study, actor):
    set_study_public(study, True, actor=actor, now=NOW)

    assert not clone_study(study, name="copy", title="Copy", now=NOW, actor=actor, owner=actor.user).is_public
