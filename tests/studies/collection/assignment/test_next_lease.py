"""Tests of the lease of the next task in the transaction that stores an answer; see also `test_assigning_races`."""

from datetime import timedelta

import pytest
from django.db import transaction

from studies.collection.assignment import (
    RaterGone,
    StudyClosed,
    begin_session,
    find_stage,
    lease_task,
    leave_study,
    submit_answers,
    take_lease,
)
from studies.collection.lifecycle import close_study
from studies.design.versions import load_newest_version
from studies.enums import TaskRole
from studies.models import AddressLease, Assignment, Judgment, Slot
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.large import make_large_study
from tests.studies.collection.assignment.staged import LATE, RIGHT, answer, make_staged_study, work

pytestmark = pytest.mark.django_db


def _submit(held, *, now=NOW, network=""):
    """Submit as the page does."""
    version = load_newest_version(held.rater.study)
    return submit_answers(held, answers=answer(held), now=now, version=version, network=network)


def _list_held(rater):
    return list(Assignment.objects.filter(rater=rater, state="leased"))


def test_next_task_is_leased_with_the_answer_and_given_to_the_page() -> None:
    study, twin = (make_large_study(name, n_tasks=10, raters_per_task=2) for name in ("study", "twin"))
    # The order of slots is drawn from the seed.
    for slot in Slot.objects.filter(study=study).select_related("task"):
        Slot.objects.filter(study=twin, task__position=slot.task.position, number=slot.number).update(turn=slot.turn)
    rater, other = make_rater(study), make_rater(twin)
    version = load_newest_version(study)

    for _ in range(9):
        _submit(lease_task(rater, now=NOW))
        work(other, RIGHT)
        (held,) = _list_held(rater)
        lease = take_lease(rater, now=NOW, version=version)
        assert (lease.assignment, lease.stage) == (held, find_stage(rater))
        assert held.task.position == lease_task(other, now=NOW).task.position

    assert (held.leased_at, held.expires_at) == (NOW, NOW + timedelta(minutes=version.design["lease_minutes"]))


def test_repeated_answer_leases_nothing_more() -> None:
    rater = make_rater(make_open_study(n_tasks=3, has_files=False))
    first = lease_task(rater, now=NOW)
    acknowledged = _submit(first)
    Assignment.objects.filter(state="leased").update(state="returned")

    assert _submit(first) == acknowledged
    assert _list_held(rater) == []


def test_refused_answer_leases_nothing() -> None:
    study = make_open_study(n_tasks=3, raters_per_task=2, has_files=False)
    gone, closed = make_rater(study, "gone"), make_rater(study, "closed")
    pages = [lease_task(rater, now=NOW) for rater in (gone, closed)]
    leave_study(gone, now=NOW)
    with pytest.raises(RaterGone):
        _submit(pages[0])
    close_study(study, now=NOW)
    with pytest.raises(StudyClosed):
        _submit(pages[1])

    assert (Assignment.objects.count(), Judgment.objects.count()) == (2, 0)
    assert not Slot.objects.filter(is_held=True).exists()


def test_answer_and_next_lease_are_rolled_back_together() -> None:
    rater = make_rater(make_open_study(n_tasks=3, has_files=False))
    first = lease_task(rater, now=NOW)

    with transaction.atomic():
        _submit(first)
        (leased,) = _list_held(rater)
        transaction.set_rollback(True)

    assert leased != first
    assert _list_held(rater) == [first]
    assert not Judgment.objects.exists()
    assert Slot.objects.filter(is_held=True).count() == 1


@pytest.mark.parametrize("design", [{"tasks_per_session": 1}, {"tasks_per_rater": 1}], ids=["a pause", "the end"])
def test_nothing_is_leased_where_main_tasks_do_not_go_on(design) -> None:
    rater = make_rater(make_open_study(n_tasks=3, has_files=False, **design))

    _submit(lease_task(rater, now=NOW))

    assert (_list_held(rater), rater.outcome) == ([], "")
    if "tasks_per_session" in design:
        _submit(begin_session(rater, now=NOW))
        assert _list_held(rater) == []


def test_tasks_without_slots_are_left_to_the_page() -> None:
    study = make_staged_study(training=1, gold=2, main=2, checks={"every": 1})
    rater = make_rater(study)
    roles = []
    while held := lease_task(rater, now=NOW):
        roles.append(TaskRole(held.task.role))
        _submit(held)
        # After a training task comes its feedback, and after a main task a check, which has no slot.
        assert [TaskRole(one.task.role) for one in _list_held(rater)] == ["main"] * (
            roles[-1] == TaskRole.GOLD and roles.count(TaskRole.MAIN) < 2
        )

    assert roles == ["training", "main", "gold", "main", "gold"]


def test_expired_leases_are_ended_by_the_page_first() -> None:
    study = make_open_study(n_tasks=2, has_files=False, lease_minutes=30)
    abandoned = lease_task(make_rater(study, "abandoned"), now=NOW)
    rater = make_rater(study)
    held = lease_task(rater, now=NOW + timedelta(minutes=20))

    _submit(held, now=LATE)
    assert _list_held(rater) == []

    assert lease_task(rater, now=LATE).task == abandoned.task


def test_late_answer_of_somebody_who_holds_another_task_leases_no_third() -> None:
    rater = make_rater(make_open_study(n_tasks=3, has_files=False))
    late = lease_task(rater, now=NOW)
    Assignment.objects.update(state="returned")
    instead = lease_task(rater, now=NOW)

    _submit(late)

    assert _list_held(rater) == [instead]


def test_who_has_answered_is_no_newcomer_and_holds_the_next_task_for_the_usual_time() -> None:
    rater = make_rater(make_open_study(n_tasks=3, has_files=False, lease_minutes=60))
    version = load_newest_version(rater.study)
    first = take_lease(rater, now=NOW, version=version, network="network").assignment

    _submit(first, network="network")

    (held,) = _list_held(rater)
    assert (first.expires_at, held.expires_at) == (NOW + timedelta(minutes=20), NOW + timedelta(minutes=60))
    assert not AddressLease.objects.exists()
