"""Tests that leases and submissions take a fixed number of queries; see also `test_assigning`."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from studies.collection.assignment import Answer, StudyClosed, check_slots, lease_task, submit_answers
from studies.collection.assignment.rater_assignments import MOST_OVERDUE
from studies.collection.lifecycle import close_study
from studies.enums import AssignmentState
from studies.models import Assignment
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.large import make_large_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("n_tasks", [10, 200])
def test_queries_do_not_grow_with_the_study(n_tasks, django_assert_num_queries) -> None:
    study = make_large_study(n_tasks=n_tasks, raters_per_task=5)
    for number in range(n_tasks // 2):
        lease_task(make_rater(study, f"other-{number}"), now=NOW)
    rater = make_rater(study)

    with django_assert_num_queries(LEASE):
        first = lease_task(rater, now=NOW)
    with django_assert_num_queries(SUBMIT):
        submit_answers(first, answers=[Answer(item=first.shown[0]["item"], value=1.0)], now=NOW)
    with django_assert_num_queries(LEASE):
        second = lease_task(rater, now=NOW)
    with django_assert_num_queries(HELD):
        again = lease_task(rater, now=NOW)

    assert (first.task == second.task, again) == (False, second)


def test_rows_read_do_not_grow_with_leases_that_nobody_came_back_to_elsewhere() -> None:
    study = make_large_study(n_tasks=10, raters_per_task=5)
    elsewhere = make_large_study("elsewhere", n_tasks=1, raters_per_task=60)
    # What a process reads once of a study is read.
    lease_task(make_rater(study), now=LATE)

    before = _count_rows_read(lambda: lease_task(make_rater(study, "first"), now=LATE))
    for number in range(60):
        lease_task(make_rater(elsewhere, f"abandoned-{number}"), now=NOW)
    after = _count_rows_read(lambda: lease_task(make_rater(study, "second"), now=LATE))

    assert before == after
    assert Assignment.objects.filter(study=elsewhere, state=AssignmentState.LEASED).count() == 60


def test_a_request_ends_so_many_overdue_leases_and_no_more() -> None:
    study = make_large_study(n_tasks=1, raters_per_task=2 * MOST_OVERDUE + 2)
    for number in range(2 * MOST_OVERDUE):
        lease_task(make_rater(study, f"abandoned-{number}"), now=NOW)

    held = [lease_task(make_rater(study, f"next-{number}"), now=LATE) for number in range(2)]
    left = Assignment.objects.filter(state=AssignmentState.LEASED, expires_at__lte=LATE).count()

    assert (None in held, left) == (False, 0)
    with CaptureQueriesContext(connection) as captured:
        lease_task(make_rater(study, "last"), now=LATE)
    assert len(captured) < 2 * LEASE


def test_a_slot_behind_many_overdue_leases_is_found() -> None:
    study = make_large_study(n_tasks=2, raters_per_task=MOST_OVERDUE + 5)
    rater = make_rater(study)
    done = lease_task(rater, now=NOW)
    submit_answers(done, answers=[Answer(item=done.shown[0]["item"], value=1.0)], now=NOW)
    while (other := lease_task(make_rater(study, f"other-{Assignment.objects.count()}"), now=NOW)) is not None:
        assert other.pk
    # Those that ran out first are all of the task that this rater has done.
    Assignment.objects.filter(task=done.task, state="leased").update(expires_at=NOW + timedelta(minutes=1))

    assert lease_task(rater, now=LATE).task_id != done.task_id


def test_closing_ends_the_leases_of_the_study_and_of_no_other() -> None:
    study, other = (make_large_study(name, n_tasks=2, raters_per_task=2) for name in ("study", "other"))
    leases = [lease_task(make_rater(one, f"rater-{number}"), now=NOW) for one in (study, other) for number in range(3)]
    submit_answers(leases[0], answers=[Answer(item=leases[0].shown[0]["item"], value=1.0)], now=NOW)

    close_study(study, now=NOW)

    states = [Assignment.objects.get(pk=lease.pk).state for lease in leases]
    assert states == ["submitted", "expired", "expired", "leased", "leased", "leased"]
    assert check_slots(study.pk) == ()


def test_a_lease_that_was_being_submitted_when_its_study_closed_ends_too() -> None:
    study = make_large_study(n_tasks=1, raters_per_task=1)
    lease = lease_task(make_rater(study), now=NOW)
    close_study(study, now=NOW)
    # As if the row had been locked while the study was closed.
    Assignment.objects.update(state=AssignmentState.LEASED)

    with pytest.raises(StudyClosed):
        submit_answers(lease, answers=[Answer(item=lease.shown[0]["item"], value=1.0)], now=NOW)

    assert Assignment.objects.get().state == AssignmentState.EXPIRED


def _count_rows_read(act) -> int:
    """Return how many rows all the SELECTs of an action read, as the database gives them again."""
    with CaptureQueriesContext(connection) as captured:
        act()
    selects = [query["sql"] for query in captured if query["sql"].startswith("SELECT")]
    rows = 0
    with transaction.atomic(), connection.cursor() as cursor:
        for sql in selects:
            cursor.execute(sql)
            rows += len(cursor.fetchall())
    return rows


LATE = NOW + timedelta(minutes=31)

# Look for leases; lock the rater, what was done so far, the version, the slot, its items; the new
# assignment; two savepoints.
LEASE = 9
# Lock rater, assignment and study; save, judgments; two savepoints.
SUBMIT = 5
# Look for leases, read the one; rater, version and tally for its stage.
HELD = 5
