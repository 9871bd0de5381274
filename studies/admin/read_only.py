"""What most tables are here: to be looked at. They are written by imports, raters' pages and scoring runs only."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Looks at rows. What people judged and metrics scored has one writer each, and it is not a form."""

    list_per_page = 50
    ordering = ("pk",)
    # Counting a table of a million rows twice for one page is too slow to be worth the number.
    show_full_result_count = False

    def get_exclude(self, request: HttpRequest | None, obj: Any = None) -> tuple[str, ...]:
        return (*(self.exclude or ()), *getattr(self.model, "secret_fields", ()))

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        keys = {field.name for field in self.model._meta.fields if field.is_relation}
        return tuple(self.list_select_related or keys.intersection(self.list_display))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # What is not shown is not read either: some of it is megabytes.
        return super().get_queryset(request).defer(*(self.exclude or ()))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
