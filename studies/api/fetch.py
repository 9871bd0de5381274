"""Loads the study of a request, checking the permissions of the person and the token."""

from collections.abc import Mapping
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from studies.access.audit import Actor, ActorAndTime
from studies.access.visibility import visible_studies
from studies.enums import Interface
from studies.models import ApiToken, Study
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY, RIGHTS_OF_ROLES, VIEW_STUDY

_REFUSALS: Final[Mapping[str, str]] = {
    VIEW_STUDY: "Only members of a study may see it.",
    ANALYSE_STUDY: "Only the owner, editors and analysts of a study may do this.",
    CHANGE_STUDY: "Only the owner and editors of a study may change it.",
    MANAGE_STUDY: "Only the owner of a study may do this, and not with a token.",
}


def list_studies(request: Request) -> QuerySet[Study]:
    """Return the studies that the request may access: with a token, only the study of the token."""
    studies = visible_studies(request.user).select_related("dataset", "owner")
    return studies.filter(pk=request.auth.study_id) if isinstance(request.auth, ApiToken) else studies


def fetch_study(request: Request, name: str, right: str = VIEW_STUDY) -> Study:
    """Return the study; 404 if the person may not see it, 403 if the person or the token lacks the right."""
    study = list_studies(request).filter(name=name).first()
    if study is None or not may(request, study, VIEW_STUDY):
        raise NotFound(f"There is no study {name!r}.")
    if not may(request, study, right):
        raise PermissionDenied(_REFUSALS[right])
    return study


def may(request: Request, study: Study, right: str) -> bool:
    """Return whether the person currently has a right and, if a token is used, the token has it too."""
    is_tokens = not isinstance(request.auth, ApiToken) or right in RIGHTS_OF_ROLES.get(request.auth.role, ())
    return is_tokens and bool(request.user.has_perm(right, study))


def refuse_tokens(request: Request) -> None:
    """Raise 403 if a token is used, which is valid for one study only, where the request is about an account."""
    if isinstance(request.auth, ApiToken):
        raise PermissionDenied("A token is for one study; this needs the login of an account.")


def make_actor(request: Request) -> Actor:
    """Return the actor of an API request, for the audit log."""
    return Actor(user=request.user, interface=Interface.API)


def who_and_when(request: Request) -> ActorAndTime:
    """Return the actor of an API request and the time, as arguments of what it does."""
    return ActorAndTime(actor=make_actor(request), now=timezone.now())
