"""How raters came in and what they are paid. Who they are stands elsewhere: no hash and no token is shown."""

from django.contrib import admin

from studies.admin.rater import ApartAdmin
from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Invitation, Payment, Submission


@admin.register(Submission)
class SubmissionAdmin(ApartAdmin):
    list_display = ("pk", "study", "panel", "outcome", "started_at", "ended_at")
    list_filter = ("panel", "outcome", "study")
    list_select_related = ("study",)
    search_fields = ("study__name",)


@admin.register(Invitation)
class InvitationAdmin(ApartAdmin):
    list_display = ("pk", "study", "created_at", "used_at")
    list_filter = ("study",)
    list_select_related = ("study",)
    search_fields = ("study__name",)


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = ("rater", "amount", "currency", "reason", "decided_at", "paid_at")
    list_filter = ("currency", "rater__study")
    list_select_related = ("rater",)
    search_fields = ("rater__pseudonym", "reason")
