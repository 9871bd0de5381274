"""Tests that slots know whether they are taken, however an assignment is changed."""

from datetime import timedelta

import pytest
from django.db import connection

from studies.collection.assignment import (
    check_slots,
    expire_leases,
    lease_task,
    leave_study,
    repair_slots,
    return_task,
)
from studies.collection.triggers.immutability import drop_triggers
from studies.models import Assignment, Slot
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import LATE, submit, work

pytestmark = pytest.mark.django_db


def _held(study):
    assert check_slots(study.pk) == ()
    return Slot.objects.filter(study=study, is_held=True).count()


def test_slot_is_held_while_leased_and_submitted() -> None:
    study = make_open_study(n_tasks=3)
    rater = make_rater(study)
    counts = [_held(study)]
    first = lease_task(rater, now=NOW)
    counts.append(_held(study))
    return_task(first)
    counts.append(_held(study))
    second = lease_task(rater, now=NOW)
    submit(second)
    counts.append(_held(study))
    lease_task(rater, now=NOW)
    counts.append(_held(study))
    expire_leases(study_id=study.pk, now=LATE)
    counts.append(_held(study))
    lease_task(rater, now=LATE)
    counts.append(_held(study))
    leave_study(rater, now=LATE)
    counts.append(_held(study))

    assert counts == [0, 1, 0, 1, 2, 1, 2, 1]


def test_slot_follows_changes_that_go_round_the_engine() -> None:
    study = make_open_study(n_tasks=1, raters_per_task=2)
    assignment = lease_task(make_rater(study), now=NOW)
    other = Slot.objects.get(study=study, is_held=False)

    Assignment.objects.filter(pk=assignment.pk).update(slot=other)
    assert (_held(study), Slot.objects.get(pk=other.pk).is_held) == (1, True)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE studies_assignment SET state = 'expired'")
    assert _held(study) == 0
    Assignment.objects.update(state="leased")
    assert _held(study) == 1
    assignment.delete()
    assert _held(study) == 0


def test_late_answer_moves_to_the_slot_that_is_free() -> None:
    study = make_open_study(n_tasks=1, raters_per_task=2)
    late = lease_task(make_rater(study), now=NOW)
    work(make_rater(study, "other"), 1.0, now=LATE)

    submit(late, now=LATE)

    assert _held(study) == 2


def test_wrong_slots_are_found_and_repaired() -> None:
    study = make_open_study(n_tasks=3)
    held = lease_task(make_rater(study), now=NOW).slot_id
    free = Slot.objects.filter(study=study, is_held=False).first().pk
    drop_triggers("default")
    Slot.objects.filter(pk=held).update(is_held=False)
    Slot.objects.filter(pk=free).update(is_held=True)

    assert set(check_slots(study.pk)) == {held, free}
    assert repair_slots(study.pk) == 2
    assert check_slots(study.pk) == ()
    assert repair_slots(study.pk) == 0


def test_slot_with_the_lowest_number_comes_first() -> None:
    study = make_open_study(n_tasks=2, raters_per_task=3)
    raters = [make_rater(study, f"rater-{number}") for number in range(5)]
    leases = [lease_task(rater, now=NOW) for rater in raters[:4]]
    assert [lease.slot.number for lease in leases] == [1, 1, 2, 2]

    return_task(leases[0])

    assert lease_task(raters[4], now=NOW + timedelta(minutes=1)).slot == leases[0].slot
