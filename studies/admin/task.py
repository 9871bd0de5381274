"""Tasks, their items and their slots."""

from django.contrib import admin

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import Item, Slot, Task


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ("pk", "study", "position")
    list_filter = ("study",)
    list_select_related = ("study",)
    search_fields = ("study__name", "items__key")


@admin.register(Item)
class ItemAdmin(ReadOnlyAdmin):
    list_display = ("key", "task", "position", "category", "image", "candidate", "other_candidate")
    list_filter = ("task__study", "category")
    list_select_related = ("task", "image", "candidate", "other_candidate")
    search_fields = ("key", "image__key", "candidate__text")


@admin.register(Slot)
class SlotAdmin(ReadOnlyAdmin):
    list_display = ("pk", "task", "number")
    list_filter = ("task__study",)
    list_select_related = ("task",)
    search_fields = ("task__items__key",)
