"""Frozen reports: to be looked at, never changed."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import FrozenReport


@admin.register(FrozenReport)
class FrozenReportAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "made_at", "made_by", "stale_since", "stale_reason")
    list_filter = ("study",)
    list_select_related = ("study", "made_by")
    search_fields = ("study__name", "digest")
