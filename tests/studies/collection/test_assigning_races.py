"""Tests of concurrent server processes, some killed during their work, with the database of this test run."""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction

from studies.access.audit import COMMAND_LINE
from studies.collection.assignment import Answer, lease_task, submit_answers
from studies.collection.assignment.row_locks import lock_assignment
from studies.collection.lifecycle import close_study
from studies.design.preregistration.declaration import AnalysisPlan, CannotPreregister, preregister_study
from studies.design.versions import load_newest_version
from studies.models import Assignment, Judgment, Preregistration
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]
N_PROCESSES = 4
PLAN = AnalysisPlan("flickr8k-expert@1", "kendall-c", ("length",), "perm-both", 0.05, "holm", "At the end.")


def _print_url():
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    return f"{server}/{settings['NAME']}"


@contextmanager
def _start_processes(raters, *, now=NOW, most=1):
    """Start the processes, deal the raters out to them, and let all go at once."""
    environment = {**os.environ, "DATABASE_URL": _print_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tests.studies.collection.racers", now.isoformat(), str(most)]
    processes = [
        subprocess.Popen(
            [*command, *(str(rater.pk) for rater in raters[index::N_PROCESSES])],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for index in range(N_PROCESSES)
    ]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    yield processes
    for process in processes:
        process.stdin.close()
        process.stdout.close()
        process.wait()


def _read(process):
    """Return the primary keys that a process printed until its end, by word."""
    printed = {"leased": [], "done": []}
    for line in process.stdout:
        word, pk = line.split()
        printed[word].append(int(pk))
    return printed


def _run(raters, **options):
    with _start_processes(raters, **options) as processes:
        printed = [_read(process) for process in processes]
        codes = [process.wait() for process in processes]
    assert codes == [0] * N_PROCESSES
    return [pk for one in printed for pk in one["done"]]


def _count_raters_per_task(study):
    live = Assignment.objects.filter(task__study=study, state__in=["leased", "submitted"])
    return Counter(live.values_list("task", flat=True))


def test_forty_raters_race_for_thirty_slots() -> None:
    study = make_open_study(n_tasks=10, raters_per_task=3, has_files=False)
    raters = [make_rater(study, f"rater-{number}") for number in range(40)]

    done = _run(raters)

    assert _count_raters_per_task(study) == dict.fromkeys(study.tasks.values_list("pk", flat=True), 3)
    assert sorted(done) == sorted(Judgment.objects.values_list("assignment", flat=True))
    assert len(set(done)) == len(done) == 30
    assert len(set(Assignment.objects.values_list("rater", flat=True))) == 30


def test_processes_killed_at_work_lose_nothing_that_was_acknowledged() -> None:
    study = make_open_study(n_tasks=12, raters_per_task=4, has_files=False)
    raters = [make_rater(study, f"rater-{number}") for number in range(12)]

    with _start_processes(raters, most=12) as processes:
        first_words = [process.stdout.readline() for process in processes[:2]]
        for process in processes[:2]:
            process.kill()
        acknowledged = [pk for process in processes for pk in _read(process)["done"]]
    acknowledged += [int(line.split()[1]) for line in first_words if line.startswith("done")]
    most_so_far = max(_count_raters_per_task(study).values())

    later = _run(raters, now=NOW + timedelta(hours=1), most=12)

    assert most_so_far <= 4
    assert _count_raters_per_task(study) == dict.fromkeys(study.tasks.values_list("pk", flat=True), 4)
    judged = list(Judgment.objects.values_list("assignment", flat=True))
    assert len(judged) == len(set(judged)) == 48
    assert set(acknowledged) | set(later) <= set(judged)
    # What the killed processes held ran out and went to others.
    assert set(Assignment.objects.values_list("state", flat=True)) <= {"submitted", "expired"}


def test_page_submitted_twice_at_once_is_stored_once_and_leases_one_task() -> None:
    study = make_open_study(n_tasks=4, raters_per_task=4, has_files=False)
    version, raters = load_newest_version(study), [make_rater(study, f"rater-{number}") for number in range(4)]
    pages = [lease_task(rater, now=NOW) for rater in raters]

    def submit(page):
        answers = [Answer(item=entry["item"], value=1.0) for entry in page.shown]
        try:
            return submit_answers(page, answers=answers, now=NOW, version=version)
        finally:
            connection.close()

    for _ in range(3):
        with ThreadPoolExecutor(8) as threads:
            acknowledged = list(threads.map(submit, [page for page in pages for _ in range(2)]))
        assert acknowledged[::2] == acknowledged[1::2]
        # Those who found all slots of a task locked lease with the page.
        pages = [lease_task(rater, now=NOW) for rater in raters]
        leased = Assignment.objects.filter(state="leased")
        assert sorted(leased.values_list("pk", flat=True)) == sorted(page.pk for page in pages)

    assert Judgment.objects.count() == 12
    assert max(_count_raters_per_task(study).values()) <= 4


def test_registering_waits_for_a_first_lease_and_then_refuses() -> None:
    study = make_open_study(n_tasks=1, has_files=False)
    rater = make_rater(study)

    def register() -> None:
        try:
            preregister_study(study, plan=PLAN, now=NOW, actor=COMMAND_LINE)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            assert lease_task(rater, now=NOW)
            registering = other.submit(register)
            with pytest.raises(TimeoutError):
                registering.result(timeout=1)
        with pytest.raises(CannotPreregister):
            registering.result(timeout=60)

    assert not Preregistration.objects.exists()


def test_closing_waits_for_answers_that_are_being_stored() -> None:
    study = make_open_study(n_tasks=1, has_files=False)
    held = lease_task(make_rater(study), now=NOW)

    def close() -> None:
        try:
            close_study(study, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            assert lock_assignment(held.pk).rater.study.state == "open"
            closing = other.submit(close)
            with pytest.raises(TimeoutError):
                closing.result(timeout=1)
        closing.result(timeout=60)

    study.refresh_from_db()
    assert study.state == "closed"
