"""Background tasks; each takes a primary key, and does nothing if the work has been done already."""

from django.utils import timezone
from django_tasks import task


@task()
def work_on_request(pk: int) -> None:
    """Compute the missing scores of a requested run."""
    from studies.scoring.requests.working import work_on

    work_on(pk, now=timezone.now)
