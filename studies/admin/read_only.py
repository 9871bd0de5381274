"""The read-only admin of most tables, which are written only by imports, raters' pages and scoring runs."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from jobs.admin import ReadOnly


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):
    """Shows rows without forms, since judgments and scores must be written by their own code only."""

    list_per_page = 50
    ordering = ("pk",)
    # Omit the total, since counting a table of a million rows twice per page is slow.
    show_full_result_count = False

    def get_exclude(self, request: HttpRequest | None, obj: Any = None) -> tuple[str, ...]:
        return (*(self.exclude or ()), *getattr(self.model, "secret_fields", ()))

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        keys = {field.name for field in self.model._meta.fields if field.is_relation}
        return tuple(self.list_select_related or keys.intersection(self.list_display))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Do not load hidden fields, some of which have megabytes.
        return super().get_queryset(request).defer(*(self.exclude or ()))
