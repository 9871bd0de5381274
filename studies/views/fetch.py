"""Fetches what every page of a study begins with."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from studies.domain.access import visible_studies
from studies.models import Study
from studies.rules import CHANGE_STUDY


def fetch_study(request: HttpRequest, name: str) -> Study:
    """Return the study, or answer 404: to a stranger it does not exist."""
    return get_object_or_404(visible_studies(request.user).select_related("dataset", "owner"), name=name)


def fetch_changeable_study(request: HttpRequest, name: str) -> Study:
    """Return the study; 404 to a stranger, 403 to a colleague who may only look."""
    study = fetch_study(request, name)
    if not request.user.has_perm(CHANGE_STUDY, study):
        raise PermissionDenied("Only the owner and editors of a study may change it.")
    return study
