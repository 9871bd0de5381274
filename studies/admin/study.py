"""Studies: their titles, owners and members. State and design change on their own pages, where rules are kept."""

from django.contrib import admin
from django.http import HttpRequest

from studies.admin.read_only import ReadOnlyAdmin
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
        "owner",
        ("join_token", "created_at", "started_at"),
    )
    readonly_fields = ("name", "kind", "state", "dataset", "join_token", "created_at", "started_at")
    inlines = (StudyMemberInline,)

    def has_change_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)


@admin.register(StudyMember)
class StudyMemberAdmin(admin.ModelAdmin):
    list_display = ("study", "user", "role")
    list_filter = ("role", "study")
    list_select_related = ("study", "user")
    search_fields = ("study__name", "user__username")
    autocomplete_fields = ("study", "user")


@admin.register(StudyVersion)
class StudyVersionAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "created_at", "created_by")
    list_filter = ("study",)
    list_select_related = ("study", "created_by")
    search_fields = ("study__name",)
