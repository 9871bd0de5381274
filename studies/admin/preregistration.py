"""Preregistrations and looks under stopping rules: to be looked at, never changed."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Preregistration, StoppingLook


@admin.register(Preregistration)
class PreregistrationAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "frozen_at", "frozen_by", "digest")
    list_filter = ("study",)
    list_select_related = ("study", "frozen_by")
    search_fields = ("study__name", "digest")


@admin.register(StoppingLook)
class StoppingLookAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "n_judgments", "fraction", "says_stop", "taken_at", "taken_by")
    list_filter = ("study", "says_stop")
    list_select_related = ("study", "taken_by")
    search_fields = ("study__name",)
