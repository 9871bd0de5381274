"""The template tag that shows a job, and the filter that prints how long it takes."""

from typing import Any, Final

from django import template
from django.utils import timezone

from jobs.models import Job
from jobs.page_fragment import describe_job

register = template.Library()
_UNITS: Final = (("second", 1), ("minute", 60), ("hour", 3600))


@register.filter
def time_left(seconds: int) -> str:
    """Print a duration in the largest unit of which there are two or more; in seconds if there is none.

    >>> [time_left(seconds) for seconds in (1, 40, 119, 602, 9000)]
    ['1 second', '40 seconds', '119 seconds', '10 minutes', '2 hours']
    """
    unit, size = next(each for each in reversed(_UNITS) if seconds >= 2 * each[1] or each[1] == 1)
    n = round(seconds / size)
    return f"{n} {unit}{'' if n == 1 else 's'}"


@register.inclusion_tag("jobs/job.html", takes_context=True)
def show_job(context: dict[str, Any], job: Job) -> dict[str, Any]:
    """Show a job as a fragment of the current page."""
    request = context["request"]
    return {
        **describe_job(job, user=request.user, again=request.get_full_path(), now=timezone.now()),
        "csrf_token": context.get("csrf_token"),
    }
