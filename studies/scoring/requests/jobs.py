"""What background workers do: each job is a primary key, and does nothing if somebody else has done it."""

from django.utils import timezone
from django_tasks import task


@task()
def work_on_request(pk: int) -> None:
    """Score what is missing of a run that was asked for."""
    from studies.scoring.requests.working import work_on

    work_on(pk, now=timezone.now)
