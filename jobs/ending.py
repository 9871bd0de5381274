"""The functions that end jobs and write their logs."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from jobs.enums import JobState
from jobs.models import Job, JobLine
from jobs.registry import find_kind

MOST_LINES: Final = 500
_LONGEST_LINE: Final = 500


@transaction.atomic
def end_job(
    held: QuerySet[Job], state: JobState, *, now: datetime, problem: str = "", result: dict[str, Any] | None = None
) -> bool:
    """End the job selected by a query if it is still in the required state; return whether it was.

    Args:
        held: Selects the job by its key and its required state and lease.
        state: The final state.
        problem: The reason, if the job did not succeed.
        result: The result, if it did.
    """
    job = held.first()
    if job is None or not held.filter(pk=job.pk).update(
        state=state, lease="", finished_at=now, problem=problem, result=result
    ):
        return False
    add_line(job, f"{state.label.lower()}: {problem}" if problem else state.label.lower(), now=now)
    job.refresh_from_db()
    kind = find_kind(job.kind)
    if state != JobState.DONE and kind is not None and kind.on_end is not None:
        kind.on_end(job)
    return True


def add_line(job: Job, text: str, *, now: datetime) -> None:
    """Add a line to a job's log, unless the log is full."""
    if JobLine.objects.filter(job=job).count() < MOST_LINES:
        JobLine.objects.create(job=job, at=now, text=text[:_LONGEST_LINE])
