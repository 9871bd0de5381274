"""Frozen reports and links to them: to be looked at, never changed."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import FrozenReport, ReportLink


@admin.register(FrozenReport)
class FrozenReportAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "made_at", "made_by", "stale_since", "stale_reason")
    list_filter = ("study",)
    list_select_related = ("study", "made_by")
    search_fields = ("study__name", "digest")


@admin.register(ReportLink)
class ReportLinkAdmin(ReadOnlyAdmin):
    list_display = ("report", "study", "hint", "made_by", "made_at", "expires_at", "revoked_at", "n_views")
    list_filter = ("report__study",)
    list_select_related = ("report__study", "made_by")
    search_fields = ("report__study__name", "hint")
    exclude = ("digest",)

    @admin.display(ordering="report__study")
    def study(self, link: ReportLink) -> str:
        return link.report.study.name
