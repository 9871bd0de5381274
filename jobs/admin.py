"""Jobs as an operator sees them: what waits, what runs, what failed and why."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from jobs.models import Job, JobLine


class _JobLines(admin.TabularInline):
    model = JobLine
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    list_display = ("pk", "kind", "account", "state", "message", "requested_at", "started_at", "finished_at", "n_tries")
    list_filter = ("state", "lane", "kind")
    list_select_related = ("account",)
    search_fields = ("key", "account__username", "problem")
    # Nothing that lets its reader act in its place.
    exclude = ("lease", "token")
    inlines = (_JobLines,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
