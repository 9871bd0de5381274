"""What is known of raters' part in a study beside their judgments."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import AddressLease, Exclusion, QualificationAttempt, RaterEvent, Tally, Withdrawal


@admin.register(QualificationAttempt)
class QualificationAttemptAdmin(ReadOnlyAdmin):
    list_display = ("rater", "number", "n_right", "n_items", "passed", "ended_at")
    list_filter = ("passed", "rater__study")
    list_select_related = ("rater",)
    search_fields = ("rater__pseudonym",)


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnlyAdmin):
    list_display = ("rater", "rule", "reason", "decided_at", "lifted_at")
    list_filter = ("rule", "rater__study")
    list_select_related = ("rater",)
    search_fields = ("rater__pseudonym", "reason")


@admin.register(Withdrawal)
class WithdrawalAdmin(ReadOnlyAdmin):
    list_display = ("receipt", "study", "n_judgments_erased", "n_judgments_kept", "owed", "paid_at", "withdrawn_at")
    list_filter = ("study",)
    list_select_related = ("study",)
    search_fields = ("receipt",)


@admin.register(RaterEvent)
class RaterEventAdmin(ReadOnlyAdmin):
    list_display = ("kind", "study", "rater", "at")
    list_filter = ("kind", "study")
    list_select_related = ("study", "rater")
    search_fields = ("rater__pseudonym",)


@admin.register(Tally)
class TallyAdmin(ReadOnlyAdmin):
    list_display = ("kind", "began_at", "count")
    list_filter = ("kind",)
    search_fields = ("kind",)
    exclude = ("who_hash",)


@admin.register(AddressLease)
class AddressLeaseAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "assignment")
    list_filter = ("study",)
    list_select_related = ("study", "assignment__rater", "assignment__task")
    search_fields = ("assignment__rater__pseudonym",)
    exclude = ("network_hash",)
