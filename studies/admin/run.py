"""Scoring runs and where their numbers come from; the vectors themselves are bytes and are not shown."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Run, ScoreChunk, ScoringInput


@admin.register(ScoringInput)
class ScoringInputAdmin(ReadOnlyAdmin):
    list_display = ("pk", "dataset", "level", "references", "n_rows", "digest", "created_at")
    list_filter = ("dataset", "level", "references")
    list_select_related = ("dataset",)
    search_fields = ("digest",)
    exclude = ("row_ids",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoringInput]:
        return super().get_queryset(request).defer("row_ids")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("signature", "n_rows", "plugin", "device", "seconds", "started_at", "finished_at")
    list_filter = ("metric", "plugin", "device")
    search_fields = ("signature", "metric", "input_digest")


@admin.register(ScoreChunk)
class ScoreChunkAdmin(ReadOnlyAdmin):
    list_display = ("pk", "run", "index")
    list_filter = ("run__metric",)
    list_select_related = ("run",)
    search_fields = ("run__signature",)
    exclude = ("values", "statistics")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ScoreChunk]:
        return super().get_queryset(request).defer("values", "statistics")
