"""Runs that are executed in the process of a test, as by a background worker."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from jobs.models import Job
from jobs.worker.claiming import claim_here
from jobs.worker.running import run_job
from metrics_plugins.runtime.chunks import CHUNK_SIZE
from studies.enums import RequestState
from studies.models import ScoringRequest
from studies.scoring.requested_runs import scoring_jobs
from studies.scoring.requested_runs.requests import SCORE


def work_on(pk: int, *, now: Callable[[], datetime], chunk_size: int = CHUNK_SIZE) -> None:
    """Run the job of a run, if one is queued."""
    job = claim_here(SCORE, key=str(pk), now=now())
    if job is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring_jobs, "CHUNK_SIZE", chunk_size)
        run_job(job, now=now)


def begin(request: ScoringRequest, *, now: datetime) -> Job:
    """Take the job of a run as a worker does, and bring the run as far as it is then."""
    job = claim_here(SCORE, key=str(request.pk), now=now - timedelta(minutes=10))
    ScoringRequest.objects.filter(pk=request.pk).update(state=RequestState.RUNNING)
    assert job is not None
    return job
