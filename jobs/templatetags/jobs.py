"""The template tag that shows a job."""

from typing import Any

from django import template
from django.utils import timezone

from jobs.models import Job
from jobs.page_fragment import describe_job

register = template.Library()


@register.inclusion_tag("jobs/job.html", takes_context=True)
def show_job(context: dict[str, Any], job: Job) -> dict[str, Any]:
    """Show a job as a fragment of the current page."""
    request = context["request"]
    return {
        **describe_job(job, user=request.user, again=request.get_full_path(), now=timezone.now()),
        "csrf_token": context.get("csrf_token"),
    }
