"""Requeues the work of dead workers."""

from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django_tasks_db.models import DBTaskResult

from studies.enums import RequestState
from studies.models import ScoringRequest
from studies.scoring.requests.jobs import work_on_request
from studies.scoring.requests.leasing import DEAD_AFTER, Leased, has_died

_JOBS: Final[tuple[tuple[type[Leased], Any, str], ...]] = ((ScoringRequest, work_on_request, "requested_at"),)
"""The leased model, the task that processes it, and the field with the time since when it has been queued."""


def requeue_lost_requests(*, now: datetime) -> int:
    """Requeue work of dead workers and work that was never started; return the number of rows."""
    n_requeued = 0
    for model, job, since in _JOBS:
        # A worker that dies between taking a task and starting it would leave its row queued forever.
        forgotten = Q(state=RequestState.QUEUED, **{f"{since}__lt": now - DEAD_AFTER})
        for pk in model._default_manager.filter(has_died(now) | forgotten).values_list("pk", flat=True):
            if not _is_waiting(job.module_path, pk):
                job.enqueue(pk)
                n_requeued += 1
    return n_requeued


def _is_waiting(path: str, pk: int) -> bool:
    ready = DBTaskResult.objects.ready().filter(task_path=path)
    return any(arguments["args"] == [pk] for arguments in ready.values_list("args_kwargs", flat=True))
