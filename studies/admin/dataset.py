"""Datasets may be given a better title; what is in them is as it was imported."""

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
from studies.models import (
    Candidate,
    CaptionSet,
    Dataset,
    Image,
    Reference,
    ReferenceChoice,
    ReferenceSet,
    System,
)


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyAdmin):
    list_display = ("name", "title", "created_at")
    search_fields = ("name", "title", "source")
    readonly_fields = ("name", "source_digest", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Dataset | None = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)


@admin.register(Image)
class ImageAdmin(ReadOnlyAdmin):
    list_display = ("key", "dataset", "file")
    list_filter = ("dataset",)
    list_select_related = ("dataset",)
    search_fields = ("key",)


@admin.register(Reference)
class ReferenceAdmin(ReadOnlyAdmin):
    list_display = ("text", "image", "position")
    list_filter = ("image__dataset",)
    list_select_related = ("image",)
    search_fields = ("text", "image__key")


@admin.register(System)
class SystemAdmin(ReadOnlyAdmin):
    list_display = ("name", "dataset", "is_human")
    list_filter = ("dataset", "is_human")
    list_select_related = ("dataset",)
    search_fields = ("name",)


@admin.register(CaptionSet)
class CaptionSetAdmin(ReadOnlyAdmin):
    list_display = ("pk", "image", "system")
    list_filter = ("image__dataset",)
    list_select_related = ("image", "system")
    search_fields = ("image__key", "system__name")


@admin.register(Candidate)
class CandidateAdmin(ReadOnlyAdmin):
    list_display = ("text", "key", "image", "system", "dataset")
    list_filter = ("dataset",)
    list_select_related = ("image", "system", "dataset")
    search_fields = ("text", "key", "image__key")


@admin.register(ReferenceSet)
class ReferenceSetAdmin(ReadOnlyAdmin):
    list_display = ("name", "dataset")
    list_filter = ("dataset",)
    list_select_related = ("dataset",)
    search_fields = ("name",)


@admin.register(ReferenceChoice)
class ReferenceChoiceAdmin(ReadOnlyAdmin):
    list_display = ("pk", "reference_set", "candidate", "position", "reference")
    list_filter = ("reference_set",)
    list_select_related = ("reference_set", "candidate", "reference")
    search_fields = ("candidate__key",)
