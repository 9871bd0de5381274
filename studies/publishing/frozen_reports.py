"""The frozen reports of a study."""

from django.db.models import QuerySet

from studies.models import FrozenReport, Study


def list_reports(study: Study) -> QuerySet[FrozenReport]:
    """Return the reports, newest first, without their content."""
    return (
        FrozenReport.objects.filter(study=study).select_related("study", "made_by").defer("content").order_by("-number")
    )
