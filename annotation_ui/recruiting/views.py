"""The page of a study's raters: the link to send, personal links, and the form of Prolific to fill in."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.channels.prolific_form import list_reminders, make_sheet
from annotation_ui.channels.study_links import make_study_link
from annotation_ui.recruiting.forms import BatchForm, PeopleForm, QuestionForm, ResultsForm, ResumeForm
from annotation_ui.recruiting.links import NoLink, make_link_to_resume, make_personal_links
from studies.design.study_facts import load_facts
from studies.enums import PanelKind, StudyState
from studies.models import Invitation, Rater, Study
from studies.rules import MANAGE_STUDY
from studies.views.fetch import fetch_changeable_study, fetch_managed_study, who_and_when
from studies.views.private_files import send_private
from studies.views.refusals import refusals_in

PAGE = "recruiting:raters"


@login_required
@never_cache
@require_safe
def show_raters(request: HttpRequest, name: str) -> HttpResponse:
    return render_raters(request, fetch_changeable_study(request, name))


@login_required
@never_cache
@require_POST
def send_personal_links(request: HttpRequest, name: str) -> HttpResponse:
    """Send a file with a link for each person of a list."""
    study = fetch_changeable_study(request, name)
    form = PeopleForm(request.POST, request.FILES)
    if form.is_valid():
        people, site = form.cleaned_data["listed"], find_site(request)
        with refusals_in(form, NoLink):
            links = make_personal_links(study, people, base_url=site, **who_and_when(request))
            return send_private(f"{study.name}-links.csv", ("person", "link"), links)
    return render_raters(request, study, people_form=form, status=422)


@login_required
@never_cache
@require_POST
def show_link_to_resume(request: HttpRequest, name: str) -> HttpResponse:
    """Show the link with which a rater continues in another browser."""
    study = fetch_managed_study(request, name)
    form = ResumeForm(request.POST)
    link = ""
    if form.is_valid():
        given = {"base_url": find_site(request), **who_and_when(request)}
        try:
            link = make_link_to_resume(study, form.cleaned_data["participant"], **given)
        except NoLink as refusal:
            form.add_error("participant", f"{refusal}.")
    return render_raters(request, study, resume_form=form, resume_link=link, status=201 if link else 422)


def render_raters(request: HttpRequest, study: Study, *, status: int = 200, **shown: Any) -> HttpResponse:
    """Return the page of a study's raters; `shown` replaces empty forms by those that were sent."""
    design, site = load_facts(study).design, find_site(request)
    panel = PanelKind(design.panel.kind)
    sheet = make_sheet(study, base_url=site) if panel == PanelKind.PROLIFIC else None
    context = {
        "study": study,
        "tab": PAGE,
        "panel": panel,
        "may_manage": request.user.has_perm(MANAGE_STUDY, study),
        "is_open": study.state == StudyState.OPEN,
        "link": make_study_link(study, base_url=site),
        "sheet": sheet,
        "reminders": list_reminders(sheet) if sheet else (),
        "n_invited": Invitation.objects.filter(study=study).count(),
        "n_raters": Rater.objects.filter(study=study, is_placeholder=False).count(),
        "has_pay": bool(design.pay.reward or design.pay.hourly_wage),
        "people_form": PeopleForm(),
        "resume_form": ResumeForm(),
        "question_form": QuestionForm(),
        "batch_form": BatchForm(),
        "results_form": ResultsForm(),
        "keys_at": _find_keys_time() if sheet and design.panel.is_signed else None,
        "is_signed": design.panel.is_signed,
        **shown,
    }
    return render(request, "recruiting/raters.html", context, status=status)


def _find_keys_time() -> datetime | None:
    """Return when Prolific's keys were fetched; None if they never were."""
    path = Path(settings.ACCORDANCE_PROLIFIC_KEYS)
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC) if path.is_file() else None


def find_site(request: HttpRequest) -> str:
    """Return the address of the site, as panels need it."""
    return request.build_absolute_uri("/").rstrip("/")
