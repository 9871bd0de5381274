"""Tests of leases and answers, also if answers are late, repeated or missing."""

from collections import Counter
from datetime import timedelta

import pytest

from studies.collection.assignment import (
    Acknowledgment,
    Answer,
    SlotTaken,
    StudyClosed,
    expire_leases,
    lease_task,
    return_task,
    submit_answers,
)
from studies.collection.lifecycle import close_study
from studies.enums import AssignmentState, TaskKind
from studies.models import Assignment, Judgment, Slot, StudyVersion
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
LATE = NOW + 31 * MINUTE


def _lease(rater, *, now=NOW):
    return lease_task(rater, now=now)


def _answer(assignment, value=1.0):
    return [Answer(item=entry["item"], value=value, elapsed_ms=1500) for entry in assignment.shown]


def _submit(assignment, *, now=NOW, value=1.0):
    return submit_answers(assignment, answers=_answer(assignment, value), now=now)


def _raters(study, number):
    return [make_rater(study, f"rater-{index}") for index in range(number)]


def _states():
    return Counter(Assignment.objects.values_list("state", flat=True))


def test_lease_holds_a_slot_for_as_long_as_the_design_says() -> None:
    study = make_open_study(lease_minutes=10)
    rater = make_rater(study)

    assignment = _lease(rater)

    assert (assignment.state, assignment.leased_at) == ("leased", NOW)
    assert assignment.expires_at == NOW + 10 * MINUTE
    assert (assignment.version.number, assignment.slot.task) == (2, assignment.task)


def test_rater_has_one_lease_at_a_time() -> None:
    rater = make_rater(make_open_study())

    assert _lease(rater) == _lease(rater, now=NOW + 29 * MINUTE)


def test_tasks_go_round_before_any_gets_a_second_rater() -> None:
    study = make_open_study(n_tasks=4, raters_per_task=2)

    leases = [_lease(rater) for rater in _raters(study, 9)]

    tasks = [lease and lease.task_id for lease in leases]
    assert sorted(tasks[:4]) == sorted(tasks[4:8]) == sorted(study.tasks.values_list("pk", flat=True))
    assert tasks[8] is None


def test_order_of_tasks_is_drawn_anew_for_each_round() -> None:
    study = make_open_study(n_tasks=12, raters_per_task=2)

    tasks = [_lease(rater).task.position for rater in _raters(study, 24)]

    # Twelve tasks have 479,001,600 orders: to meet one of the design, or the same twice, is no accident.
    assert sorted(tasks[:12]) == sorted(tasks[12:]) == list(range(12))
    assert len({tuple(tasks[:12]), tuple(tasks[12:]), tuple(range(12))}) == 3


def test_submitting_stores_a_judgment_for_each_item() -> None:
    study = make_open_study(kind=TaskKind.SET_RATING)
    rater = make_rater(study)
    assignment = _lease(rater)

    acknowledgment = _submit(assignment, now=NOW + MINUTE, value=0.3)

    assert acknowledgment == Acknowledgment(assignment=assignment.pk, submitted_at=NOW + MINUTE)
    stored = Judgment.objects.values_list("item__task", "rater", "assignment", "value", "elapsed_ms", "created_at")
    assert list(stored) == 3 * [(assignment.task_id, rater.pk, assignment.pk, 0.3, 1500, NOW + MINUTE)]


def test_repeat_changes_nothing_and_is_acknowledged_alike() -> None:
    rater = make_rater(make_open_study())
    assignment = _lease(rater)
    first = _submit(assignment, value=1.0)

    again = _submit(assignment, now=NOW + 5 * MINUTE, value=4.0)

    assert again == first
    assert list(Judgment.objects.values_list("value", "created_at")) == [(1.0, NOW)]


def test_rater_gets_each_task_once_and_is_finished_then() -> None:
    study = make_open_study(n_tasks=3, raters_per_task=2)
    rater = make_rater(study)
    tasks = []
    for _ in range(3):
        assignment = _lease(rater)
        tasks.append(assignment.task_id)
        _submit(assignment)

    assert sorted(tasks) == sorted(study.tasks.values_list("pk", flat=True))
    assert _lease(rater, now=NOW + MINUTE) is None
    rater.refresh_from_db()
    assert rater.finished_at == NOW + MINUTE


def test_rater_stops_at_the_most_tasks_of_the_design() -> None:
    study = make_open_study(n_tasks=3, tasks_per_rater=1)
    rater = make_rater(study)
    _submit(_lease(rater))

    assert _lease(rater) is None


def test_expired_lease_frees_its_slot() -> None:
    study = make_open_study(n_tasks=1)
    first, second = _raters(study, 2)
    _lease(first)

    assert _lease(second, now=NOW + 29 * MINUTE) is None
    taken = _lease(second, now=NOW + 30 * MINUTE)

    assert (taken.rater, _states()) == (second, {"expired": 1, "leased": 1})


def test_expire_leases_tells_how_many() -> None:
    study = make_open_study(n_tasks=2)
    for rater in _raters(study, 2):
        _lease(rater)

    counts = [expire_leases(study_id=study.pk, now=now) for now in (NOW, LATE, LATE)]

    assert counts == [0, 2, 0]


def test_late_answer_is_taken_while_the_slot_is_free() -> None:
    study = make_open_study(n_tasks=1)
    rater = make_rater(study)
    assignment = _lease(rater)
    expire_leases(study_id=study.pk, now=LATE)

    _submit(assignment, now=LATE)

    assert _states() == {"submitted": 1}
    assert Judgment.objects.get().created_at == LATE


def test_late_answer_takes_another_free_slot_of_the_task() -> None:
    study = make_open_study(n_tasks=1, raters_per_task=2)
    first, second = _raters(study, 2)
    assignment = _lease(first)
    other = _lease(second, now=LATE)
    assert other.slot == assignment.slot

    _submit(assignment, now=LATE)

    assignment.refresh_from_db()
    assert (assignment.state, assignment.slot.number) == ("submitted", 2)


def test_answer_too_late_is_refused_and_the_next_task_is_there() -> None:
    study = make_open_study(n_tasks=2)
    first, second, third = _raters(study, 3)
    assignment = _lease(first)
    for rater in (second, third):
        _lease(rater, now=LATE)

    with pytest.raises(SlotTaken, match="been given to somebody else"):
        _submit(assignment, now=LATE)

    assert Judgment.objects.count() == 0
    Assignment.objects.filter(rater=third).update(state=AssignmentState.RETURNED)
    assert _lease(first, now=LATE) is not None


def test_rater_who_comes_back_late_goes_on_with_the_same_task() -> None:
    study = make_open_study(n_tasks=5)
    rater = make_rater(study)
    assignment = _lease(rater)

    resumed = _lease(rater, now=LATE)

    assert (resumed, resumed.shown) == (assignment, assignment.shown)
    assert (resumed.state, resumed.expires_at) == ("leased", LATE + 30 * MINUTE)


def test_returned_task_goes_to_others() -> None:
    study = make_open_study(n_tasks=1)
    first, second = _raters(study, 2)
    return_task(_lease(first))

    assert _lease(second).rater == second
    assert _lease(first) is None


def test_returned_task_comes_back_when_nothing_else_is_left() -> None:
    rater = make_rater(make_open_study(n_tasks=3))
    returned = _lease(rater)
    return_task(returned)

    leased = []
    for _ in range(4):
        assignment = _lease(rater)
        leased.append(assignment)
        if assignment:
            _submit(assignment)

    assert returned not in leased[:2]
    assert leased[2:] == [returned, None]
    assert _states() == {"submitted": 3}


def test_returning_what_was_submitted_changes_nothing() -> None:
    assignment = _lease(make_rater(make_open_study()))
    _submit(assignment)

    return_task(assignment)

    assert _states() == {"submitted": 1}


def test_answer_from_a_forgotten_page_of_a_returned_task_is_taken() -> None:
    assignment = _lease(make_rater(make_open_study()))
    return_task(assignment)

    _submit(assignment)

    assert _states() == {"submitted": 1}


def test_closed_study_gives_and_takes_nothing() -> None:
    study = make_open_study()
    first, second = _raters(study, 2)
    assignment = _lease(first)
    close_study(study, now=NOW)

    assert _lease(second) is None
    with pytest.raises(StudyClosed, match="closed before this answer"):
        _submit(assignment)
    assert Judgment.objects.count() == 0


def test_draft_gives_nothing() -> None:
    assert _lease(make_rater(make_designed_study())) is None
    assert Slot.objects.count() == 0


@pytest.mark.parametrize("change", [lambda answers: answers[1:], lambda answers: [*answers, Answer(0, 1.0)]])
def test_answers_must_be_those_of_the_task(change) -> None:
    assignment = _lease(make_rater(make_open_study(kind=TaskKind.SET_RATING)))
    items = sorted(entry["item"] for entry in assignment.shown)

    with pytest.raises(ValueError, match=r"`answers` must be one for each of the items") as caught:
        submit_answers(assignment, answers=change(_answer(assignment)), now=NOW)

    assert str(items) in str(caught.value)
    assert _states() == {"leased": 1}


def test_newer_design_counts_for_the_next_lease() -> None:
    study = make_open_study(n_tasks=2)
    rater = make_rater(study)
    first = _lease(rater)
    design = {**study.versions.latest("number").design, "lease_minutes": 5}
    StudyVersion.objects.create(study=study, number=3, design=design, created_at=NOW)
    _submit(first)

    second = _lease(rater)

    assert (first.version.number, second.version.number) == (2, 3)
    assert second.expires_at == NOW + 5 * MINUTE
