"""Records log-ins, log-outs and failed log-ins of all pages and libraries, by Django's signals."""

from datetime import timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest
from django.utils import timezone

from studies.access.audit import Actor, record_event
from studies.access.limits import Limited, count_attempt
from studies.enums import AuditAction, Interface

MOST_FAILURES: Final = 60
"""The maximum number of failed log-ins recorded per minute, so that an attack cannot fill the table."""
_FAILURES: Final = Limited("failures", timedelta(minutes=1))


def connect() -> None:
    """Connect the signals; called once, when the application is ready."""
    user_logged_in.connect(_note_login, dispatch_uid="accordance-logged-in")
    user_logged_out.connect(_note_logout, dispatch_uid="accordance-logged-out")
    user_login_failed.connect(_note_failure, dispatch_uid="accordance-login-failed")


def _note_login(*, request: HttpRequest | None, user: Any, **_: Any) -> None:
    _note(AuditAction.LOGGED_IN, request, user)


def _note_logout(*, request: HttpRequest | None, user: Any, **_: Any) -> None:
    if user is not None:
        _note(AuditAction.LOGGED_OUT, request, user)


def _note_failure(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    if request is None or not count_attempt(_FAILURES, "all", most=MOST_FAILURES, now=timezone.now()):
        return
    # The input may be a password in the wrong field or somebody's address, so store only names of existing accounts.
    users = get_user_model()
    typed = str(credentials.get(users.USERNAME_FIELD) or credentials.get("username") or "")
    known = users._default_manager.filter(**{users.USERNAME_FIELD: typed}).exists() if "\0" not in typed else False
    _note(AuditAction.LOGIN_FAILED, request, None, account=typed if known else "")


def _note(action: AuditAction, request: HttpRequest | None, user: Any, **told: str) -> None:
    # Skip log-ins without a page, as in tests.
    if request is not None and request.path:
        details = {"page": request.path, **told}
        record_event(actor=Actor(user, Interface.PAGE), action=action, now=timezone.now(), details=details)
