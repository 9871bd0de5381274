"""Tests of late answers, answers of raters who left, and their events; see also `test_assigning`."""

import pytest

from studies.collection.assignment import (
    EnoughDone,
    RaterGone,
    SlotTaken,
    expire_leases,
    lease_task,
    leave_study,
    return_task,
    submit_answers,
)
from studies.models import Assignment, Judgment, RaterEvent
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import LATE, answer, make_staged_study, submit, work

pytestmark = pytest.mark.django_db


def _events():
    return list(RaterEvent.objects.values_list("kind", "details", "at"))


def test_late_answer_that_is_one_too_many_is_refused() -> None:
    rater = make_rater(make_open_study(n_tasks=3, tasks_per_rater=1))
    late = lease_task(rater, now=NOW)
    return_task(late)
    work(rater, 1.0)

    with pytest.raises(EnoughDone, match="the maximum number of tasks per person"):
        submit(late)

    assert Judgment.objects.count() == 1
    assert _events() == [("refused", {"assignment": late.pk, "reason": "EnoughDone"}, NOW)]


def test_late_answer_that_is_the_last_one_gives_back_what_was_leased_instead() -> None:
    rater = make_rater(make_open_study(n_tasks=3, tasks_per_rater=1))
    late = lease_task(rater, now=NOW)
    return_task(late)
    instead = lease_task(rater, now=NOW)

    submit(late)

    assert dict(Assignment.objects.values_list("pk", "state")) == {late.pk: "submitted", instead.pk: "returned"}
    with pytest.raises(EnoughDone):
        submit(instead)
    assert lease_task(rater, now=NOW) is None


def test_late_answer_leaves_a_trace() -> None:
    rater = make_rater(make_open_study())
    late = lease_task(rater, now=NOW)

    submit(late, now=LATE)

    assert _events() == [("late", {"assignment": late.pk}, LATE)]


def test_answer_in_time_leaves_none() -> None:
    submit(lease_task(make_rater(make_open_study()), now=NOW))

    assert _events() == []


def test_refused_late_answer_leaves_a_trace_and_nothing_else() -> None:
    study = make_open_study(n_tasks=1)
    rater = make_rater(study)
    late = lease_task(rater, now=NOW)
    assert lease_task(make_rater(study, "other"), now=LATE) is not None

    with pytest.raises(SlotTaken):
        submit(late, now=LATE)

    assert _events() == [("refused", {"assignment": late.pk, "reason": "SlotTaken"}, LATE)]


def test_training_has_all_the_time() -> None:
    study = make_staged_study(training=1)
    rater = make_rater(study)
    late = lease_task(rater, now=NOW)
    expire_leases(study_id=study.pk, now=LATE)

    assert lease_task(rater, now=LATE) == late
    expire_leases(study_id=study.pk, now=LATE + (LATE - NOW))
    submit(late, now=LATE + (LATE - NOW))

    assert (Judgment.objects.count(), _events()) == (1, [])


def test_answer_of_who_left_is_refused() -> None:
    rater = make_rater(make_open_study())
    assignment = lease_task(rater, now=NOW)
    leave_study(rater, now=NOW)

    with pytest.raises(RaterGone, match="Your participation in this study has ended"):
        submit_answers(assignment, answers=answer(assignment), now=NOW)

    assert Judgment.objects.count() == 0


def test_answer_without_a_value_is_kept() -> None:
    submit(lease_task(make_rater(make_open_study()), now=NOW), None)

    assert Judgment.objects.get().value is None
