"""Tests of the notice that all planned tasks are done."""

import pytest

from studies.collaboration.filling import note_if_filled
from studies.collection.assignment import lease_task, leave_study
from studies.collection.lifecycle import close_study, open_study
from studies.models import AuditEntry
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_study
from tests.studies.collection.assignment.staged import make_staged_study, submit, work

pytestmark = pytest.mark.django_db


def count_notices():
    return AuditEntry.objects.filter(action="filled").count()


def test_last_submission_is_noticed(django_capture_on_commit_callbacks):
    rater = make_rater(make_open_study(n_tasks=2, raters_per_task=1))
    with django_capture_on_commit_callbacks(execute=True):
        work(rater, 1.0)
    assert count_notices() == 0
    with django_capture_on_commit_callbacks(execute=True):
        work(rater, 1.0)

    entry = AuditEntry.objects.get(action="filled")
    assert (entry.study, entry.actor_name, entry.interface, entry.at) == (rater.study, "", "site", NOW)


def test_task_that_a_rater_holds_is_not_done():
    study = make_open_study(n_tasks=1, raters_per_task=2)
    work(make_rater(study, "first"), 1.0)
    held = lease_task(make_rater(study, "second"), now=NOW)

    assert not note_if_filled(study.pk, now=NOW)
    submit(held)
    assert note_if_filled(study.pk, now=NOW)


def test_it_is_said_once_after_each_opening():
    study = make_open_study(n_tasks=1, raters_per_task=1)
    work(make_rater(study), 1.0)
    assert [note_if_filled(study.pk, now=NOW) for _ in range(2)] == [True, False]

    close_study(study, now=NOW)
    assert not note_if_filled(study.pk, now=NOW)
    open_study(study, now=NOW)
    assert note_if_filled(study.pk, now=NOW)


def test_task_that_was_given_back_and_training_fill_nothing():
    study = make_staged_study(training=1, main=1, raters_per_task=1)
    rater = make_rater(study)
    work(rater, 4.0)
    lease_task(rater, now=NOW)
    leave_study(rater, now=NOW)

    assert not note_if_filled(study.pk, now=NOW)


def test_study_without_slots_is_never_filled():
    assert not note_if_filled(make_study(state="open").pk, now=NOW)
