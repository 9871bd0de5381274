"""The frozen reports of a study, and those that were asked for."""

from django.db.models import QuerySet

from studies.models import FrozenReport, ReportRequest, Study


def list_reports(study: Study) -> QuerySet[FrozenReport]:
    """Return the reports, newest first, without their content."""
    return (
        FrozenReport.objects.filter(study=study).select_related("study", "made_by").defer("content").order_by("-number")
    )


def list_report_requests(study: Study) -> QuerySet[ReportRequest]:
    """Return all reports that were asked for, newest first, with the numbers of those that are there."""
    asked = ReportRequest.objects.filter(study=study).select_related("made_by", "report")
    return asked.defer("report__content", "report__facts").order_by("-pk")
