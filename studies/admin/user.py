"""Accounts, as Django has them; but who is deleted leaves studies, and their histories say so."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from studies.admin.auditing import record_member
from studies.enums import AuditAction
from studies.models import StudyMember

# Django's own page is registered as soon as it is imported.
admin.site.unregister(get_user_model())


@admin.register(get_user_model())
class AccountAdmin(UserAdmin):
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        _record_leaving(request, [obj])
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        _record_leaving(request, queryset)
        super().delete_queryset(request, queryset)


def _record_leaving(request: HttpRequest, users: Any) -> None:
    # Tokens are no matter: who has one cannot be deleted, for tokens are only looked at here.
    for member in StudyMember.objects.filter(user__in=users).select_related("study", "user").order_by("pk"):
        record_member(request, member, action=AuditAction.MEMBER_REMOVED)
