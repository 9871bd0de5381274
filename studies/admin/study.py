"""Titles, owners and members of studies; state and design change on their own pages, which enforce the rules."""

import json
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from studies.admin.auditing import record_member, record_study
from studies.admin.read_only import ReadOnlyAdmin
from studies.design.study_design import StudyDesign
from studies.enums import AuditAction
from studies.forms.study import StudyForm
from studies.models import Study, StudyMember, StudyVersion


class StudyMemberInline(admin.TabularInline):
    model = StudyMember
    autocomplete_fields = ("user",)
    extra = 1


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    form = StudyForm
    list_display = ("name", "title", "kind", "state", "dataset", "owner", "created_at")
    list_filter = ("state", "kind", "dataset")
    list_select_related = ("dataset", "owner")
    search_fields = ("name", "title")
    autocomplete_fields = ("owner",)
    fields = (
        ("name", "kind", "state"),
        "title",
        "dataset",
        "protocol",
        "is_simulated",
        "is_computed",
        "owner",
        ("join_token", "created_at", "started_at", "archived_at"),
    )
    readonly_fields = (
        "name",
        "kind",
        "state",
        "dataset",
        "is_simulated",
        "is_computed",
        "join_token",
        "created_at",
        "started_at",
        "archived_at",
    )
    inlines = (StudyMemberInline,)

    def has_change_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Study, form: Any, change: bool) -> None:
        before = Study.objects.select_related("owner").get(pk=obj.pk)
        super().save_model(request, obj, form, change)
        record_study(request, obj, before=before)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        for member in formset.new_objects:
            record_member(request, member, action=AuditAction.MEMBER_ADDED)
        for member, _ in formset.changed_objects:
            record_member(request, member, action=AuditAction.MEMBER_CHANGED)
        for member in formset.deleted_objects:
            record_member(request, member, action=AuditAction.MEMBER_REMOVED)


@admin.register(StudyMember)
class StudyMemberAdmin(admin.ModelAdmin):
    list_display = ("study", "user", "role")
    list_filter = ("role", "study")
    list_select_related = ("study", "user")
    search_fields = ("study__name", "user__username")
    autocomplete_fields = ("study", "user")

    def get_readonly_fields(self, request: HttpRequest, obj: StudyMember | None = None) -> tuple[str, ...]:
        # Otherwise a member could be moved between studies without an entry in their histories.
        return ("study", "user") if obj else ()

    def save_model(self, request: HttpRequest, obj: StudyMember, form: Any, change: bool) -> None:
        was = StudyMember.objects.get(pk=obj.pk).role if change else ""
        super().save_model(request, obj, form, change)
        if was != obj.role:
            action = AuditAction.MEMBER_CHANGED if change else AuditAction.MEMBER_ADDED
            record_member(request, obj, action=action, was=was)

    def delete_model(self, request: HttpRequest, obj: StudyMember) -> None:
        record_member(request, obj, action=AuditAction.MEMBER_REMOVED)
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[StudyMember]) -> None:
        for member in queryset.select_related("study", "user"):
            record_member(request, member, action=AuditAction.MEMBER_REMOVED)
        super().delete_queryset(request, queryset)


@admin.register(StudyVersion)
class StudyVersionAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "created_at", "created_by")
    list_filter = ("study",)
    list_select_related = ("study", "created_by")
    search_fields = ("study__name",)
    exclude = ("design",)
    readonly_fields = ("design_without_secrets",)

    @admin.display(description="design")
    def design_without_secrets(self, version: StudyVersion) -> str:
        design = StudyDesign.from_json(version.design).to_public_json()
        return format_html("<pre>{}</pre>", json.dumps(design, ensure_ascii=False, indent=1))
