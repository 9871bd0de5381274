"""Leases and judgments: an acknowledged judgment is never changed by hand."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Assignment, Judgment, JudgmentRevision


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = ("pk", "task", "rater", "state", "leased_at", "expires_at", "submitted_at")
    list_filter = ("state", "version__study")
    list_select_related = ("task", "rater")
    search_fields = ("rater__pseudonym",)


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    list_display = ("pk", "item", "rater", "value", "elapsed_ms", "created_at")
    list_filter = ("rater__study",)
    list_select_related = ("item", "rater")
    search_fields = ("item__key", "rater__pseudonym")


@admin.register(JudgmentRevision)
class JudgmentRevisionAdmin(ReadOnlyAdmin):
    list_display = ("judgment", "value", "created_at", "replaced_at")
    list_filter = ("judgment__rater__study",)
    list_select_related = ("judgment",)
    search_fields = ("judgment__item__key", "judgment__rater__pseudonym")
