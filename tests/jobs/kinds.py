"""Kinds of jobs for tests, whose work is given by the payload."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from jobs.errors import TryAgain, WorkFailed
from jobs.registry import Kind, register, unregister
from jobs.worker.claiming import claim_job
from jobs.worker.running import run_job
from tests.factories.studies import NOW


def work(handle):
    """Do what the payload says."""
    asked = handle.payload
    if asked.get("fail"):
        raise WorkFailed(asked["fail"])
    if asked.get("later"):
        raise TryAgain(asked["later"], after=timedelta(seconds=10))
    if asked.get("break"):
        raise ZeroDivisionError
    if asked.get("fill"):
        raise MemoryError
    handle.report("halfway", n_done=1, n_total=2)
    return {"said": asked.get("say", "")}


@contextmanager
def registered(**changes) -> Iterator[Kind]:
    """Register a kind for a while."""
    kind = register(
        Kind(**{"name": "test", "title": "A test", "lane": "tests", "work": work, "seconds": 5.0, **changes})
    )
    try:
        yield kind
    finally:
        unregister(kind)


@pytest.fixture
def kind():
    with registered() as made:
        yield made


def claim(lane="tests", *, now=NOW):
    return claim_job(lane, now=now)


def run_next(lane="tests", *, now=NOW):
    """Run the next job of a lane here and return it as it then is."""
    job = claim(lane, now=now)
    run_job(job, now=lambda: now)
    job.refresh_from_db()
    return job
