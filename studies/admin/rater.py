"""Raters by pseudonym, and, for superusers and apart from them, who they are.

The keyed hash is the only way from one to the other, so neither page shows it or searches by it.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Consent, Identity, Rater


@admin.register(Rater)
class RaterAdmin(ReadOnlyAdmin):
    list_display = ("pseudonym", "study", "is_placeholder", "joined_at", "finished_at")
    list_filter = ("study", "is_placeholder")
    list_select_related = ("study",)
    search_fields = ("pseudonym",)
    exclude = ("identity_hash",)


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin):
    list_display = ("rater", "version", "given_at")
    list_filter = ("version__study",)
    list_select_related = ("rater", "version")
    search_fields = ("rater__pseudonym",)


@admin.register(Identity)
class IdentityAdmin(ReadOnlyAdmin):
    # In order of the panel's own ids: the order of arrival would tell which rater of a study each one is.
    ordering = ("panel", "participant_id")
    list_display = ("participant_id", "panel")
    list_filter = ("panel",)
    search_fields = ("participant_id",)
    fields = ("panel", "participant_id")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
