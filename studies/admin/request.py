"""Runs that were asked for, what studies chose of metrics, and what checks of metrics found."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import ConformanceReport, RequestedMetric, ScoringRequest, StudyMetric


@admin.register(ScoringRequest)
class ScoringRequestAdmin(ReadOnlyAdmin):
    list_display = (
        "pk",
        "study",
        "judging",
        "state",
        "n_done",
        "n_total",
        "requested_by",
        "requested_at",
        "finished_at",
    )
    list_filter = ("state",)
    list_select_related = ("study", "judging", "requested_by")
    search_fields = ("study__name", "message")
    exclude = ("lease",)


@admin.register(RequestedMetric)
class RequestedMetricAdmin(ReadOnlyAdmin):
    list_display = ("pk", "request", "metric", "state", "n_done", "n_total", "n_missing", "message")
    list_filter = ("state", "metric")
    list_select_related = ("request",)
    search_fields = ("metric", "signature", "message")


@admin.register(StudyMetric)
class StudyMetricAdmin(ReadOnlyAdmin):
    list_display = ("study", "metric", "is_enabled", "params", "signature")
    list_filter = ("is_enabled", "metric")
    list_select_related = ("study",)
    search_fields = ("study__name", "metric")


@admin.register(ConformanceReport)
class ConformanceReportAdmin(ReadOnlyAdmin):
    list_display = ("metric", "version", "finished_at", "signature")
    search_fields = ("metric", "signature")
