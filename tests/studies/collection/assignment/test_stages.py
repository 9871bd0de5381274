"""Tests of a rater's stages in a study, from training to the end."""

from collections import Counter

import pytest

from studies.collection.assignment import (
    Stage,
    StageName,
    begin_session,
    find_stage,
    lease_task,
    leave_study,
    return_task,
)
from studies.collection.assignment.stages import count_due_checks, count_planned, order_checks
from studies.design.study_design import Checks, Qualification, StudyDesign
from studies.enums import TaskKind, TaskRole
from studies.models import Candidate, Item, Rater, Task
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import RIGHT, WRONG, make_staged_study, submit, work

pytestmark = pytest.mark.django_db
QUALIFICATION = Qualification(pass_share=0.5, attempts=2)


def test_stages_come_in_their_order() -> None:
    checks = Checks(every=1)
    study = make_staged_study(training=2, trial=1, gold=1, qualification=QUALIFICATION, checks=checks)
    rater = make_rater(study)
    seen = []
    while assignment := lease_task(rater, now=NOW):
        stage = find_stage(rater)
        seen.append((str(stage.name), assignment.task.role, stage.n_done, stage.n_total, stage.attempt))
        submit(assignment)

    assert seen == [
        ("training", "training", 0, 2, 0),
        ("training", "training", 1, 2, 0),
        ("qualification", "qualification", 0, 1, 1),
        ("main", "main", 0, 3, 0),
        ("main", "gold", 1, 3, 0),
        ("main", "main", 2, 3, 0),
    ]
    assert find_stage(rater) == Stage(StageName.DONE, n_done=3, n_total=3, outcome="finished")


@pytest.mark.parametrize("most", [0, 4])
@pytest.mark.parametrize("n_main", [5, 6])
def test_checks_are_counted_like_all_tasks(n_main, most) -> None:
    checks = Checks(every=2)
    study = make_staged_study(gold=1, attention=2, main=n_main, checks=checks, tasks_per_rater=most, raters_per_task=6)
    # With a random seed, one run in 64 has no rater with a check after the last main task.
    study.seed = "seed"
    study.save()
    promised = count_planned(study, design=StudyDesign.from_json(study.versions.latest("number").design))
    totals = set()
    for number in range(6):
        rater, stages = make_rater(study, f"rater-{number}"), []
        while assignment := lease_task(rater, now=NOW):
            stages.append(find_stage(rater))
            submit(assignment)
        (total,) = {stage.n_total for stage in stages}
        assert [stage.n_done for stage in stages] == list(range(total))
        assert find_stage(rater) == Stage(StageName.DONE, n_done=total, n_total=total, outcome="finished")
        totals.add(total)

    assert max(totals) == promised


def test_check_that_was_given_back_does_not_come_again_while_there_is_another() -> None:
    study = make_staged_study(attention=2, main=4, checks=Checks(every=1), raters_per_task=2)
    rater = make_rater(study)
    work(rater, RIGHT)
    first = lease_task(rater, now=NOW)
    return_task(first)

    second = lease_task(rater, now=NOW)
    return_task(second)
    third = lease_task(rater, now=NOW)

    assert [held.task.role for held in (first, second, third)] == [TaskRole.ATTENTION] * 3
    assert first.task != second.task
    assert third.task in (first.task, second.task)


def test_every_rater_gets_all_training_tasks_whatever_others_do() -> None:
    study = make_staged_study(training=2, main=1)

    positions = [
        [_position_and_submit(lease_task(rater, now=NOW)) for _ in range(2)]
        for rater in (make_rater(study, f"rater-{number}") for number in range(3))
    ]

    assert positions == 3 * [[0, 1]]


@pytest.mark.parametrize("every", [1, 3, 10])
def test_one_check_comes_up_in_each_block(every) -> None:
    n_blocks = 400 // every
    counts = [count_due_checks(n, every=every, seed="rater") for n in range(n_blocks * every + 1)]

    came = [n for n in range(1, len(counts)) if counts[n] > counts[n - 1]]
    assert counts[0] == 0
    assert [(n - 1) // every for n in came] == list(range(n_blocks))
    # Drawn evenly among the slots of a block: 40 of each of ten expected, standard deviation 6.
    tallies = Counter((n - 1) % every for n in came)
    assert all(abs(tallies[slot] - n_blocks / every) <= 4 * (n_blocks / every) ** 0.5 for slot in range(every))


def test_no_check_comes_up_without_a_rule() -> None:
    assert count_due_checks(100, every=0, seed="rater") == 0


def test_checks_are_mixed_in_alike_on_every_reload_and_differently_for_raters() -> None:
    study = make_staged_study(gold=2, attention=2, main=12, checks=Checks(every=3), raters_per_task=5)
    orders = []
    for number in range(5):
        rater, order = make_rater(study, f"rater-{number}"), []
        while assignment := lease_task(rater, now=NOW):
            assert lease_task(rater, now=NOW) == assignment
            order.append((assignment.task.role, assignment.task_id if assignment.slot_id is None else None))
            submit(assignment)
        orders.append(tuple(order))

    for order in orders:
        assert Counter(role for role, _ in order) == {"main": 12, "gold": 2, "attention": 2}
        assert len({pk for role, pk in order if role != "main"}) == 4
        blocks = [
            sum(role == "main" for role, _ in order[:slot]) for slot, (role, _) in enumerate(order) if role != "main"
        ]
        assert [(n - 1) // 3 for n in blocks] == [0, 1, 2, 3]
    assert len(set(orders)) > 1


def test_order_of_checks_is_the_raters_own() -> None:
    tasks = [Task(pk=pk) for pk in range(8)]

    assert order_checks(tasks, seed="a") == order_checks(tasks, seed="a") != order_checks(tasks, seed="b")
    assert sorted(task.pk for task in order_checks(tasks, seed="a")) == list(range(8))


def test_session_ends_with_a_pause_that_the_rater_ends() -> None:
    study = make_open_study(n_tasks=5, tasks_per_session=2)
    rater = make_rater(study)
    work(rater, 1.0, 1.0)

    assert lease_task(rater, now=NOW) is None
    assert find_stage(rater) == Stage(StageName.PAUSE, n_done=2, n_total=5, session=1)

    second = begin_session(rater, now=NOW)

    assert (second.session, lease_task(rater, now=NOW)) == (2, second)
    assert find_stage(rater) == Stage(StageName.MAIN, n_done=2, n_total=5, session=2)
    submit(second)
    work(rater, 1.0)
    assert find_stage(rater).name == StageName.PAUSE
    third = begin_session(rater, now=NOW)
    submit(third)
    assert (third.session, lease_task(rater, now=NOW)) == (3, None)
    assert find_stage(rater) == Stage(StageName.DONE, n_done=5, n_total=5, outcome="finished")


def test_session_that_ends_with_the_study_ends_without_a_pause() -> None:
    rater = make_rater(make_open_study(n_tasks=2, tasks_per_session=2))
    work(rater, 1.0, 1.0)

    assert lease_task(rater, now=NOW) is None
    assert find_stage(rater).outcome == "finished"


def test_beginning_a_session_within_one_changes_nothing() -> None:
    rater = make_rater(make_open_study(n_tasks=3, tasks_per_session=2))
    first = lease_task(rater, now=NOW)

    assert begin_session(rater, now=NOW) == first
    submit(first)
    assert begin_session(rater, now=NOW) is None
    assert lease_task(rater, now=NOW).session == 1


def test_beginning_a_session_before_the_first_leases_nothing() -> None:
    rater = make_rater(make_open_study(n_tasks=3, tasks_per_session=2))

    assert begin_session(rater, now=NOW) is None
    assert rater.assignments.count() == 0


def test_checks_and_training_do_not_fill_a_session() -> None:
    study = make_staged_study(training=1, gold=2, main=4, checks=Checks(every=1), tasks_per_session=2)
    rater = make_rater(study)

    assert work(rater, *[4.0] * 5) == ["training", "main", "gold", "main", "gold"]
    assert find_stage(rater) == Stage(StageName.PAUSE, n_done=4, n_total=6, session=1)


def test_rater_who_left_is_done() -> None:
    study = make_open_study(n_tasks=1)
    rater, other = make_rater(study), make_rater(study, "other")
    lease_task(rater, now=NOW)

    leave_study(rater, now=NOW)
    leave_study(rater, now=NOW)

    assert find_stage(rater) == Stage(StageName.DONE, n_done=0, n_total=1, outcome="left")
    assert lease_task(rater, now=NOW) is None
    assert lease_task(other, now=NOW) is not None
    assert list(rater.events.values_list("kind", "at")) == [("left", NOW)]


def test_rater_who_found_no_task_goes_on_with_what_became_free() -> None:
    study = make_open_study(n_tasks=1)
    first, second = make_rater(study), make_rater(study, "second")
    held = lease_task(first, now=NOW)
    assert lease_task(second, now=NOW) is None
    assert find_stage(second).outcome == "no_tasks"

    leave_study(first, now=NOW)

    assert lease_task(second, now=NOW).task == held.task
    assert find_stage(second).name == StageName.MAIN


@pytest.mark.parametrize("kind", [TaskKind.RATING, TaskKind.PAIRWISE, TaskKind.SET_RATING])
@pytest.mark.parametrize("is_same_person", [False, True])
def test_nobody_judges_a_caption_of_their_own(kind, is_same_person) -> None:
    study = make_open_study(kind=kind, n_tasks=2, has_files=False)
    rater = make_rater(study, identity_hash="person")
    author = make_rater(make_open_study("elsewhere"), identity_hash="person") if is_same_person else rater
    item = Item.objects.filter(task__study=study, task__position=1).first()
    written = item.other_candidate_id or item.candidate_id or item.caption_set.candidates.last().pk
    Candidate.objects.filter(pk=written).update(author=author)

    roles = work(rater, 1.0)

    assert (roles, lease_task(rater, now=NOW)) == (["main"], None)
    assert set(rater.judgments.values_list("item__task__position", flat=True)) == {0}
    assert work(make_rater(study, "other"), 1.0) == ["main"]


def test_nobody_is_checked_or_trained_with_a_caption_of_their_own() -> None:
    study = make_staged_study(training=1, trial=1, gold=1, qualification=QUALIFICATION, checks=Checks(every=1))
    rater = make_rater(study)
    apart = Item.objects.filter(task__study=study).exclude(task__role="main")
    Candidate.objects.filter(pk__in=apart.values("candidate")).update(author=rater)

    assert work(rater, WRONG, WRONG) == ["main", "main"]
    assert lease_task(rater, now=NOW) is None


def _position_and_submit(assignment):
    submit(assignment)
    return assignment.task.position


def _end_beside_a_holder(study, *, n_done):
    """Let a rater do tasks while another holds the last one, and return how the part ends."""
    rater, holder = make_rater(study), make_rater(study, "holder")
    lease_task(holder, now=NOW)
    for _ in range(n_done):
        submit(lease_task(rater, now=NOW))
    assert lease_task(rater, now=NOW) is None
    return find_stage(rater).outcome


@pytest.mark.parametrize(
    ("n_tasks", "design", "outcome"),
    [
        (1, {}, "no_tasks"),
        (1, {"tasks_per_rater": 5}, "no_tasks"),
        (2, {"tasks_per_rater": 2}, "cut_short"),
        (2, {"tasks_per_rater": 5}, "cut_short"),
        (2, {"tasks_per_session": 2}, "cut_short"),
        # A session of one is whole, and so is a part of as many tasks as one rater may do.
        (2, {"tasks_per_session": 1}, "finished"),
        (2, {"tasks_per_rater": 1}, "finished"),
        # Without a number in the design whoever has done one has done what there was.
        (2, {}, "finished"),
    ],
)
def test_end_without_a_slot_left_says_how_much_of_a_session_was_done(n_tasks, design, outcome) -> None:
    assert _end_beside_a_holder(make_open_study(n_tasks=n_tasks, **design), n_done=n_tasks - 1) == outcome


def test_late_answer_of_who_found_no_task_counts_and_changes_the_end() -> None:
    study = make_open_study(n_tasks=1, lease_minutes=10)
    rater = make_rater(study)
    held = lease_task(rater, now=NOW)
    Rater.objects.filter(pk=rater.pk).update(outcome="no_tasks", finished_at=NOW)

    submit(held)
    assert lease_task(rater, now=NOW) is None

    assert find_stage(rater).outcome == "finished"
