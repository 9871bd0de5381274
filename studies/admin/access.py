"""What was changed by whom, the tokens of programs, and studies that are offered to another owner."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import ApiToken, AuditEntry, StudyOffer


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "study_name", "action", "actor_name", "interface")
    list_filter = ("action", "interface")
    search_fields = ("study_name", "actor_name")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("study", "name", "role", "hint", "made_by", "made_at", "expires_at", "revoked_at", "last_used_at")
    list_filter = ("role",)
    list_select_related = ("study", "made_by")
    search_fields = ("study__name", "name")
    exclude = ("digest",)


@admin.register(StudyOffer)
class StudyOfferAdmin(ReadOnlyAdmin):
    list_display = ("study", "offered_to", "offered_by", "offered_at", "expires_at")
    list_select_related = ("study", "offered_to", "offered_by")
    search_fields = ("study__name", "offered_to__username")
