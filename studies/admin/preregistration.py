"""Preregistrations: to be looked at, never changed."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Preregistration


@admin.register(Preregistration)
class PreregistrationAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "frozen_at", "frozen_by", "digest")
    list_filter = ("study",)
    list_select_related = ("study", "frozen_by")
    search_fields = ("study__name", "digest")
