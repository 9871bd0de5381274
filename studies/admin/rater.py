"""Raters by pseudonym, and, for superusers and on a separate page, whether identities are stored.

The keyed hash is the only connection between the two, so neither page shows it or searches by it.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Identity, Invitation, Rater, Submission


class ApartAdmin(ReadOnlyAdmin):
    """Omits the fields that lead to a person, also from filters, by which they could be read letter by letter."""

    exclude = ("identity_hash",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        hidden = {"identity_hash", *self.get_exclude(request)}
        return hidden.isdisjoint(lookup.split("__")) and super().lookup_allowed(lookup, value, request)


@admin.register(Rater)
class RaterAdmin(ApartAdmin):
    # The nonce of a consent form must stay secret, since it authenticates the rater.
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
    # Identities are encrypted, and shown only on the page for requests, which records each access.
    list_display = ("pk", "panel")
    list_filter = ("panel",)
    search_fields = ("panel",)
    exclude = ("identity_hash", "created_at", "participant_id")
    fields = ("panel",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
