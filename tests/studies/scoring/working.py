"""Raters who work through the real domain functions at given times."""

from datetime import timedelta

from studies.collection.assignment import Answer, lease_task, submit_answers
from tests.factories.studies import NOW


def work(rater, *, n_tasks=1, seconds=60, start=NOW, value=1.0):
    """Let a rater do tasks one after the other, each taking so many seconds; return the assignments."""
    done = []
    for number in range(n_tasks):
        leased_at = start + number * timedelta(seconds=seconds)
        assignment = lease_task(rater, now=leased_at)
        answers = [Answer(item=entry["item"], value=value, elapsed_ms=1000) for entry in assignment.shown]
        submit_answers(assignment, answers=answers, now=leased_at + timedelta(seconds=seconds))
        done.append(assignment)
    return done


def finish(rater, *, now=NOW):
    """Let a rater ask for a task when there is none left, which ends their part."""
    assert lease_task(rater, now=now) is None
    rater.refresh_from_db()
    return rater
