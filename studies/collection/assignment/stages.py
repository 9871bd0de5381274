"""Stages of a rater: training, qualification, main tasks with checks, pause, end.

They are derived from the rater's submissions and the study's seed, so computing them again gives the same result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from studies.collection.assignment.rater_assignments import (
    CHECKS,
    RaterTally,
    count_checks_done,
    count_session_tasks,
    count_tasks,
    list_done_apart,
    list_own_tasks,
    list_returned,
    tally,
)
from studies.collection.study_tasks import TaskPlan, load_plan
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import RaterOutcome, TaskRole
from studies.models import QualificationAttempt, Rater, Study


class StageName(StrEnum):
    """The stages of participation after consent."""

    TRAINING = "training"
    QUALIFICATION = "qualification"
    MAIN = "main"
    PAUSE = "pause"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Stage:
    """The stage of a rater.

    Attributes:
        name: The stage.
        n_done: Tasks submitted in it. For main tasks (also in a pause and at the end): those of all sessions, including
                checks, which raters could otherwise recognize.
        n_total: Tasks in it; for main tasks, the most that one rater can do, including checks.
        session: The rater's session, counted from one; in a pause, the previous one.
        attempt: The current attempt at the qualification, counted from one; 0 in other stages.
        attempts: The number of attempts allowed; 0 in other stages.
        outcome: The outcome at the end; empty until `lease_task` has recorded it.
    """

    name: StageName
    n_done: int
    n_total: int
    session: int = 1
    attempt: int = 0
    attempts: int = 0
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """The next step of a rater.

    Attributes:
        task: A task that every rater gets; None in the main stage means the slot in most need.
        n_expired: The number of main tasks whose lease expired for this rater.
        outcome: The outcome to record if nothing more is to be done or no slot is left.
        own_tasks: Tasks that show a caption of the rater's own.
    """

    name: StageName
    task: TaskPlan | None = None
    n_done: int = 0
    n_total: int = 0
    session: int = 1
    attempt: int = 0
    outcome: RaterOutcome = RaterOutcome.FINISHED
    own_tasks: frozenset[int] = frozenset()
    n_expired: int = 0


def find_stage(rater: Rater) -> Stage:
    """Return the rater's stage, without writing anything.

    The main stage may end when `lease_task` finds no slot: it then returns None and records the outcome, which this
    function returns from then on. A pause ends by `begin_session`.
    """
    rater = Rater.objects.select_related("study").get(pk=rater.pk)
    return derive_stage(rater, design=StudyDesign.from_json(load_newest_version(rater.study).design))


def derive_stage(rater: Rater, *, design: StudyDesign) -> Stage:
    """Like `find_stage`, for a rater that was just read with the study and the newest design."""
    found = tally(rater)
    if rater.outcome:
        n_done = found.n_done + count_checks_done(rater)
        return Stage(StageName.DONE, n_done, _count_planned(rater, rater.study, design), outcome=rater.outcome)
    step = plan_step(rater, study=rater.study, design=design, found=found)
    return describe_step(step, rater, rater.study, design)


def describe_step(step: Step, rater: Rater, study: Study, design: StudyDesign) -> Stage:
    """Return the stage of a rater whose next step is `step`."""
    if step.name in (StageName.TRAINING, StageName.QUALIFICATION):
        attempts = design.qualification.attempts if design.qualification and step.attempt else 0
        return Stage(step.name, step.n_done, step.n_total, attempt=step.attempt, attempts=attempts)
    return Stage(step.name, step.n_done, _count_planned(rater, study, design), session=step.session)


def plan_step(
    rater: Rater, *, study: Study, design: StudyDesign, found: RaterTally, begins_session: bool = False
) -> Step:
    """Return the rater's next step, given their submissions; does not check whether a slot is left."""
    plan = load_plan(study)
    own = list_own_tasks(rater) if plan.shows_written else frozenset()
    apart = [task for task in plan.apart if task.pk not in own]
    done = list_done_apart(rater) if apart else frozenset()
    training = [task for task in apart if task.role == TaskRole.TRAINING]
    left = [task for task in training if task.pk not in done]
    if left:
        return Step(StageName.TRAINING, left[0], len(training) - len(left), len(training))
    trial = _plan_qualification(rater, apart, done, design)
    return trial or _plan_main(rater, study, apart, done, design, own, found, begins_session=begins_session)


def count_planned(study: Study, *, design: StudyDesign) -> int:
    """Return the maximum number of tasks of any rater, including checks."""
    n_main = count_tasks(study, design=design)
    n_due = -(-n_main // design.checks.every) if design.checks.every else 0
    return n_main + min(len(_list_checks(load_plan(study).apart)), n_due)


def _count_planned(rater: Rater, study: Study, design: StudyDesign) -> int:
    """Return the maximum number of tasks of this rater, including checks."""
    n_main = count_tasks(study, design=design)
    n_due = count_due_checks(n_main, every=design.checks.every, seed=_name_seed(rater, study))
    return n_main + min(len(_list_checks(load_plan(study).apart)), n_due)


def _list_checks(apart: Iterable[TaskPlan]) -> list[TaskPlan]:
    return [task for task in apart if task.role in CHECKS]


def _name_seed(rater: Rater, study: Study) -> str:
    return f"{study.seed}/{rater.pseudonym}"


def count_due_checks(n_main: int, *, every: int, seed: str) -> int:
    """Return how many checks are due after `n_main` main tasks: one in each block of `every`.

    `seed` determines after which main task of each block its check comes.
    """
    if not every:
        return 0
    n_blocks, rest = divmod(n_main, every)
    after = Random(f"{seed}/check/{n_blocks}").randint(1, every)  # noqa: S311 - not a secret
    return n_blocks + (after <= rest)


def order_checks(tasks: Sequence[TaskPlan], *, seed: str) -> list[TaskPlan]:
    """Return the checks in the order in which a rater gets them, by the rater's seed."""
    return Random(f"{seed}/checks").sample(list(tasks), len(tasks))  # noqa: S311 - not a secret


def _plan_qualification(
    rater: Rater, apart: Sequence[TaskPlan], done: frozenset[int], design: StudyDesign
) -> Step | None:
    tasks = [task for task in apart if task.role == TaskRole.QUALIFICATION]
    if design.qualification is None or not tasks:
        return None
    attempts = list(QualificationAttempt.objects.filter(rater=rater).values_list("passed", flat=True))
    if any(attempts):
        return None
    left = [task for task in tasks if task.pk not in done]
    if len(attempts) >= design.qualification.attempts:
        return Step(StageName.DONE, outcome=RaterOutcome.NOT_QUALIFIED)
    return Step(StageName.QUALIFICATION, left[0], len(tasks) - len(left), len(tasks), attempt=len(attempts) + 1)


def _plan_main(
    rater: Rater,
    study: Study,
    apart: Sequence[TaskPlan],
    done: frozenset[int],
    design: StudyDesign,
    own: frozenset[int],
    found: RaterTally,
    *,
    begins_session: bool,
) -> Step:
    session, checks, seed = max(found.sessions, default=1), _list_checks(apart), _name_seed(rater, study)
    n_due = min(len(checks), count_due_checks(found.n_done, every=design.checks.every, seed=seed))
    n_checked = sum(task.pk in done for task in checks)
    n_done = found.n_done + n_checked
    if n_due > n_checked:
        left = [task for task in order_checks(checks, seed=seed) if task.pk not in done]
        # A returned task is not given again while there is another one, and checks must behave the same.
        returned = list_returned(rater, [task.pk for task in left]) if len(left) > 1 else frozenset()
        check = next((task for task in left if task.pk not in returned), left[0])
        return Step(StageName.MAIN, check, n_done, session=session, own_tasks=own)
    if design.tasks_per_rater and found.n_done >= design.tasks_per_rater:
        return Step(StageName.DONE, n_done=n_done, session=session)
    n_here = found.sessions.get(session, 0)
    is_full = bool(design.tasks_per_session) and n_here >= design.tasks_per_session
    if is_full and not begins_session:
        return Step(StageName.PAUSE, n_done=n_done, session=session, own_tasks=own)
    session, n_here = (session + 1, 0) if is_full else (session, n_here)
    n_own = len(own - {task.pk for task in apart})
    outcome = _name_end(study, design, n_before=found.n_done - n_here, n_here=n_here, n_own=n_own)
    return Step(
        StageName.MAIN, n_done=n_done, session=session, outcome=outcome, own_tasks=own, n_expired=found.n_expired
    )


def _name_end(study: Study, design: StudyDesign, *, n_before: int, n_here: int, n_own: int) -> RaterOutcome:
    """Return the outcome if no slot is left, given the tasks done in this session and before it.

    If the design sets no number of tasks, a rater who has done any has finished.
    """
    if not n_before + n_here:
        return RaterOutcome.NO_TASKS
    planned = count_session_tasks(study, design=design, n_before=n_before, n_own=n_own)
    has_number = design.tasks_per_rater or design.tasks_per_session
    return RaterOutcome.CUT_SHORT if has_number and 0 < n_here < planned else RaterOutcome.FINISHED
