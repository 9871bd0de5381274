"""Accounts and groups as in Django, but staff cannot grant rights beyond their own.

Deleting an account removes it from studies, which is recorded in their histories.
"""

from typing import Any, Final

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.closing import close_access
from studies.admin.auditing import record_member
from studies.admin.read_only import ReadOnlyAdmin
from studies.enums import AuditAction, Interface
from studies.models import AccountWebhook, NotificationSettings, StudyMember

# Importing Django's admin registers its own pages.
admin.site.unregister([get_user_model(), Group])

_RIGHTS: Final = ("is_staff", "is_superuser", "groups", "user_permissions")


@admin.register(get_user_model())
class AccountAdmin(UserAdmin):
    """Lets only superusers grant rights or change accounts of staff, whose passwords would give the same rights."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        given = tuple(super().get_readonly_fields(request, obj))
        return given if _is_superuser(request) else (*given, *_RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _may_touch(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _may_touch(request, obj) and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # Django checks the right to delete for the action as a whole instead of each account.
        return super().get_actions(request) if _is_superuser(request) else {}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change and not obj.is_active:
            close_access(obj, actor=Actor(request.user, Interface.PAGE), now=timezone.now())
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        _record_leaving(request, [obj])
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        _record_leaving(request, queryset)
        super().delete_queryset(request, queryset)


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """Groups, which only superusers may change, since a group gives its rights to all members."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


def _may_touch(request: HttpRequest, account: Any | None) -> bool:
    return account is None or _is_superuser(request) or not (account.is_staff or account.is_superuser)


def _record_leaving(request: HttpRequest, users: Any) -> None:
    # Accounts with tokens cannot be deleted, since tokens are read-only in the admin.
    for member in StudyMember.objects.filter(user__in=users).select_related("study", "user").order_by("pk"):
        record_member(request, member, action=AuditAction.MEMBER_REMOVED)


class _OfAccount(ReadOnlyAdmin):
    """A table of what goes with an account: it can be deleted, or the account could not."""

    search_fields = ("user__username",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


@admin.register(NotificationSettings)
class NotificationSettingsAdmin(_OfAccount):
    list_display = ("user", "wants_mail")


@admin.register(AccountWebhook)
class AccountWebhookAdmin(_OfAccount):
    list_display = ("pk", "user", "last_tried_at", "is_delivered")
    # The path of a URL is often a secret.
    exclude = ("url", "encrypted_secret")
