"""Loads the study of a page, checking permissions."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from studies.access.audit import Actor, ActorAndTime
from studies.access.visibility import visible_studies
from studies.enums import Interface
from studies.models import Study
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY


def fetch_study(request: HttpRequest, name: str) -> Study:
    """Return the study; 404 for people who may not see it."""
    visible = visible_studies(request.user).select_related("dataset", "owner", "simulation_of")
    return get_object_or_404(visible, name=name)


def fetch_analysable_study(request: HttpRequest, name: str) -> Study:
    """Return the study; 404 for people who may not see it, 403 for those who may only view it."""
    return _fetch(request, name, ANALYSE_STUDY, "Only the owner, editors and analysts of a study may do this.")


def fetch_changeable_study(request: HttpRequest, name: str) -> Study:
    """Return the study; 404 for people who may not see it, 403 for those who may not change it."""
    return _fetch(request, name, CHANGE_STUDY, "Only the owner and editors of a study may change it.")


def fetch_managed_study(request: HttpRequest, name: str) -> Study:
    """Return the study; 404 for people who may not see it, 403 for all others but its owner."""
    return _fetch(request, name, MANAGE_STUDY, "Only the owner of a study may do this.")


def make_actor(request: HttpRequest) -> Actor:
    """Return the actor of a page request, for the audit log."""
    return Actor(user=request.user, interface=Interface.PAGE)


def who_and_when(request: HttpRequest) -> ActorAndTime:
    """Return the actor of a page request and the time, as arguments of what the page does."""
    return ActorAndTime(actor=make_actor(request), now=timezone.now())


def _fetch(request: HttpRequest, name: str, permission: str, refusal: str) -> Study:
    study = fetch_study(request, name)
    if not request.user.has_perm(permission, study):
        raise PermissionDenied(refusal)
    return study
