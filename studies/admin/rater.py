"""Raters by pseudonym, how they came in, and, for superusers and apart from them, that somebody's identity is kept.

The keyed hash is the only way from one to the other, so neither page shows it or searches by it.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Identity, Invitation, Rater, Submission


class ApartAdmin(ReadOnlyAdmin):
    """Neither shows nor filters by what leads to a person: letter by letter, two lists could be laid side by side."""

    exclude = ("identity_hash",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        hidden = {"identity_hash", *self.get_exclude(request)}
        return hidden.isdisjoint(lookup.split("__")) and super().lookup_allowed(lookup, value, request)


@admin.register(Rater)
class RaterAdmin(ApartAdmin):
    # Whoever has the nonce of a consent form can send it again, and is taken for the rater.
    exclude = ("identity_hash", "join_nonce")
    list_display = ("pseudonym", "study", "is_placeholder", "joined_at", "finished_at", "outcome")
    list_filter = ("study", "is_placeholder", "outcome")
    search_fields = ("pseudonym",)


@admin.register(Submission)
class SubmissionAdmin(ApartAdmin):
    list_display = ("pk", "study", "panel", "outcome", "started_at", "ended_at")
    list_filter = ("panel", "outcome", "study")
    search_fields = ("study__name",)


@admin.register(Invitation)
class InvitationAdmin(ApartAdmin):
    list_display = ("pk", "study", "created_at", "used_at")
    list_filter = ("study",)
    search_fields = ("study__name",)


@admin.register(Identity)
class IdentityAdmin(ApartAdmin):
    # Who they are is encrypted, and shown on the page for requests alone, where each look is written down.
    list_display = ("pk", "panel")
    list_filter = ("panel",)
    search_fields = ("panel",)
    exclude = ("identity_hash", "created_at", "participant_id")
    fields = ("panel",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
