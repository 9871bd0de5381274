"""Eight server processes do thousands of random operations; afterwards all invariants must hold.

`ACCORDANCE_OPERATIONS` says how many; 20,000 take minutes on SQLite, where one writes at a time and every answer
waits for the disk.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import Count

from studies.collection.assignment import check_slots
from studies.collection.lifecycle import open_study
from studies.design.study_design import Checks, Qualification
from studies.enums import AssignmentState, TaskRole
from studies.models import Assignment, Item, Judgment, JudgmentRevision, Rater, Slot, Task
from tests.factories.studies import NOW
from tests.studies.collection.assignment.large import make_large_study

ROOT = Path(__file__).resolve().parents[3]
N_PROCESSES = 8
N_OPERATIONS = int(os.environ.get("ACCORDANCE_OPERATIONS", "3000"))
RATERS_PER_TASK = 5
TASKS_PER_RATER = 40
MINUTES_PER_SECOND = 5


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_must_hold_holds_after_thousands_of_operations(capsys) -> None:
    study = _make_study(n_main=max(60, N_OPERATIONS // 25))
    start = time.time()

    told, seconds = _run(study, n_processes=N_PROCESSES, n_operations=N_OPERATIONS // N_PROCESSES, start=start)
    _check(study, told)
    told += _run(study, n_processes=1, n_operations=0, start=start)[0]

    _check(study, told)
    _check_finished(study)
    rate = N_OPERATIONS / seconds
    with capsys.disabled():
        sys.stdout.write(
            f"\n{connection.vendor}: {N_OPERATIONS} operations of {N_PROCESSES} processes in {seconds:.0f} s, "
            f"{rate:.0f} a second; {dict(_count(told))}\n"
        )


def _make_study(*, n_main):
    study = make_large_study(
        n_tasks=n_main + 6,
        raters_per_task=RATERS_PER_TASK,
        tasks_per_rater=TASKS_PER_RATER,
        tasks_per_session=15,
        lease_minutes=30,
        is_open=False,
        checks=Checks(every=8),
        qualification=Qualification(pass_share=0.5, attempts=3),
    )
    roles = [TaskRole.TRAINING, TaskRole.QUALIFICATION, *[TaskRole.GOLD] * 2, *[TaskRole.ATTENTION] * 2]
    for position, role in enumerate(roles):
        study.tasks.filter(position=position).update(role=role)
    Item.objects.exclude(task__role=TaskRole.MAIN).update(expected=[3, 4])
    open_study(study, now=NOW)
    return study


def _run(study, *, n_processes, n_operations, start):
    """Run the processes to their end; return the words that they printed, line by line, and the seconds it took."""
    environment = {**os.environ, "DATABASE_URL": _print_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tests.studies.collection.actors"]
    processes = [
        subprocess.Popen(
            [*command, str(seed), str(n_operations), str(start), str(MINUTES_PER_SECOND), str(study.pk)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(n_processes)
    ]
    # All are there before the first may go.
    assert [process.stdout.readline() for process in processes] == [f"ready {n_operations}\n"] * n_processes
    began = time.time()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    with ThreadPoolExecutor(n_processes) as readers:
        printed = list(readers.map(_read, processes))
    assert [process.returncode for process in processes] == [0] * n_processes
    return [line for one in printed for line in one], time.time() - began


def _read(process):
    output, _ = process.communicate()
    return [line.split(maxsplit=1) for line in output.splitlines()]


def _print_url():
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    return f"{server}/{settings['NAME']}"


def _check(study, told):
    main = Assignment.objects.filter(task__study=study, task__role=TaskRole.MAIN)
    live = main.filter(state__in=[AssignmentState.LEASED, AssignmentState.SUBMITTED])
    leased = Assignment.objects.filter(task__study=study, state=AssignmentState.LEASED)
    submitted = main.filter(state=AssignmentState.SUBMITTED)
    assert _most(live, "task") <= RATERS_PER_TASK
    assert _most(Judgment.objects.filter(item__task__role=TaskRole.MAIN, rater__study=study), "item") <= RATERS_PER_TASK
    assert _most(Judgment.objects.filter(rater__study=study), "item", "rater") == 1
    assert _most(leased, "rater") <= 1
    assert _most(submitted, "rater") <= TASKS_PER_RATER
    assert check_slots(study.pk) == ()
    # A form sent twice made one rater.
    assert _most(Rater.objects.filter(study=study), "join_nonce") == 1
    _check_answers(told)


def _check_answers(told):
    """Every answer that was acknowledged is there exactly once, or among what its judgment said before."""
    withdrew = {int(words) for kind, words in told if kind == "withdrew"}
    gone = set(Assignment.objects.filter(rater__in=withdrew).values_list("pk", flat=True))
    judgments = list(Judgment.objects.values_list("pk", "item__task", "rater", "value"))
    said = {(task, rater): {value} for _, task, rater, value in judgments}
    assert len(said) == len(judgments)
    for task, rater, value in JudgmentRevision.objects.values_list("judgment__item__task", "judgment__rater", "value"):
        said[task, rater].add(value)
    of = {pk: key for pk, *key in Assignment.objects.values_list("pk", "task", "rater")}
    acknowledged = {tuple(words.split()) for kind, words in told if kind in ("done", "corrected")}
    missing = [
        (pk, value)
        for pk, value in acknowledged
        if int(pk) not in gone and float(value) not in said.get(tuple(of[int(pk)]), set())
    ]
    assert missing == []


def _check_finished(study):
    tasks = Task.objects.filter(study=study, role=TaskRole.MAIN)
    judged = Judgment.objects.filter(item__task__in=tasks).values_list("item__task").annotate(n=Count("pk"))
    # Judgments of who withdrew and let them stay fill their slots too.
    assert dict(judged) == dict.fromkeys(tasks.values_list("pk", flat=True), RATERS_PER_TASK)
    assert Slot.objects.filter(study=study, is_held=False).count() == 0


def _most(rows, *fields):
    counts = rows.order_by().values(*fields).annotate(n=Count("pk")).values_list("n", flat=True)
    return max(counts, default=0)


def _count(told):
    total = Counter()
    for kind, words in told:
        if kind == "counts":
            total.update(json.loads(words))
    return total
