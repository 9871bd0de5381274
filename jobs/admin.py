"""Read-only admin pages of jobs, for operators."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from jobs.models import Job, JobLine


class ReadOnly:
    """Permissions of an admin page, or of a part of one, on which rows can only be looked at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _JobLines(ReadOnly, admin.TabularInline):
    model = JobLine
    extra = 0


@admin.register(Job)
class JobAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pk", "kind", "account", "state", "message", "requested_at", "started_at", "finished_at", "n_tries")
    list_filter = ("state", "lane", "kind")
    list_select_related = ("account",)
    search_fields = ("key", "account__username", "problem")
    # Hide the secrets that would let a reader act as the worker or the owner.
    exclude = ("lease", "token")
    inlines = (_JobLines,)
