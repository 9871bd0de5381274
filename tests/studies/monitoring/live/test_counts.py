from datetime import timedelta

import pytest

from studies.enums import AssignmentState, RaterOutcome, TaskRole
from studies.models import Assignment, Slot, StudyVersion, Task
from studies.monitoring.live.counts import Completion, Dropout, Queue, count_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def lease(rater, task, state, **extra):
    fields = {"shown": [], "leased_at": NOW, "expires_at": NOW} | extra
    version = StudyVersion.objects.get(study=rater.study)
    return Assignment.objects.create(study=rater.study, task=task, rater=rater, version=version, state=state, **fields)


def test_judgments_are_counted_by_hour_and_by_item():
    study = make_study(n_tasks=3)
    first, second, third = list_items(study)
    Task.objects.filter(pk=third.task_id).update(role=TaskRole.GOLD)
    for number, (item, hours) in enumerate([(second, 30), (third, 1), (second, 1), (first, 1), (first, 0)]):
        make_judgment(item, make_rater(study, f"rater-{number}"), created_at=NOW - timedelta(hours=hours))

    counts = count_study(study, now=NOW)

    # Of the item of a check nothing counts, and the oldest judgment is not of these 24 hours.
    assert [(hour.start, hour.n) for hour in counts.hours if hour.n] == [(NOW - timedelta(hours=1), 2), (NOW, 1)]
    assert (len(counts.hours), counts.hours[-1].start) == (24, NOW)
    assert counts.completion == (Completion(0, 0), Completion(1, 0), Completion(2, 2))
    assert (counts.n_judgments, counts.n_planned, counts.n_raters) == (4, 2, 5)


def test_study_without_anything_is_counted():
    counts = count_study(make_study(n_tasks=2), now=NOW)

    assert counts.completion == (Completion(0, 2), Completion(1, 0))
    assert (counts.n_judgments, counts.last_judgment, counts.dropouts) == (0, None, ())
    assert counts.queue == Queue(n_slots=0, leased=0, overdue=0, expired=0, returned=0, free=0)


def test_hours_of_a_study_that_is_over_end_with_its_last_judgment():
    study = make_study(n_tasks=1)
    make_judgment(list_items(study)[0], make_rater(study), created_at=NOW)

    counts = count_study(study, now=NOW + timedelta(days=400))

    assert (counts.hours[-1].start, counts.hours[-1].n) == (NOW, 1)


def test_queue_and_dropouts():
    study = make_study(n_tasks=3)
    tasks = [item.task for item in list_items(study)]
    Task.objects.filter(pk=tasks[2].pk).update(role=TaskRole.TRAINING)
    for task in tasks[:2]:
        Slot.objects.create(study=study, task=task, number=1, turn=0)
    busy, gone, new = (make_rater(study, name) for name in ("busy", "gone", "new"))
    gone.outcome, gone.finished_at = RaterOutcome.LEFT, NOW
    gone.save()
    hour = timedelta(hours=1)
    lease(busy, tasks[0], AssignmentState.LEASED, slot=tasks[0].slots.get(), expires_at=NOW + hour)
    lease(new, tasks[2], AssignmentState.LEASED)
    lease(busy, tasks[1], AssignmentState.EXPIRED, slot=tasks[1].slots.get())
    lease(gone, tasks[2], AssignmentState.RETURNED)

    counts = count_study(study, now=NOW + timedelta(minutes=1))

    assert counts.queue == Queue(n_slots=2, leased=1, overdue=1, expired=1, returned=1, free=1)
    assert counts.dropouts == (
        Dropout("training", "", 1),
        Dropout("training", RaterOutcome.LEFT, 1),
        Dropout("main tasks", "", 1),
    )
    assert [each.outcome_words for each in counts.dropouts] == ["Still active", "Left early", "Still active"]


@pytest.mark.parametrize("n", [1, 3])
def test_counting_takes_a_fixed_number_of_queries(n, django_assert_num_queries):
    study = make_study(n_tasks=n)
    for item in list_items(study):
        make_judgment(item, make_rater(study, f"rater-{item.pk}"))

    with django_assert_num_queries(13):
        count_study(study, now=NOW)


def test_raters_of_published_judgments_count_but_came_no_way():
    study = make_study(n_tasks=1)
    make_judgment(list_items(study)[0], make_rater(study, "first vote", is_placeholder=True), created_at=NOW)

    counts = count_study(study, now=NOW)

    assert (counts.n_raters, counts.dropouts) == (1, ())
