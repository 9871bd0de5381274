"""Datasets, of which only the title can be changed."""

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Dataset


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyAdmin):
    list_display = ("name", "title", "created_at")
    search_fields = ("name", "title", "source")
    readonly_fields = ("name", "source_digest", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Dataset | None = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)
