"""Simulations: to be looked at, never changed."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Simulation


@admin.register(Simulation)
class SimulationAdmin(ReadOnlyAdmin):
    list_display = ("pk", "study", "panel", "n_raters", "state", "problem", "trial", "made_by", "made_at")
    list_filter = ("state", "panel")
    list_select_related = ("study", "trial", "made_by")
    search_fields = ("study__name", "problem")
    # Thousands of numbers, which the study that is made of them shows better.
    exclude = ("answers",)
