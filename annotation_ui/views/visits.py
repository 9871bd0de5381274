"""Visits: the study given by the link, and the rater given by a signed cookie for that study."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy

from annotation_ui.channels import CHANNELS, Channel, PanelExit
from annotation_ui.languages import choose_language, read_choice, remember_choice
from annotation_ui.views.framing import allow_framing_by, allow_posting_to
from studies.access.limits import hash_network
from studies.collection.arrival.arrivals import end_submission, find_submission, name_end
from studies.collection.arrival.raters import has_consented, store_language
from studies.collection.arrival.visits import FoundVisit, find_visit
from studies.collection.assignment.rater_assignments import count_checks_done, count_submitted
from studies.design.study_design import StudyDesign
from studies.enums import PanelKind, RaterOutcome, StudyState
from studies.models import Rater, Study, StudyVersion
from studies.shared.clock import read_clock

_PREFIX: Final = "rater-"
COOKIE_SECONDS: Final = 180 * 24 * 60 * 60
TERMS_CHANGED: Final = gettext_lazy(
    "Your last answer was not saved, because the terms of this study have changed. If you agree to the new terms, "
    "please answer that task again. Everything that you saved before is safe."
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit to a study; `rater` is None for somebody who has not joined on this device."""

    study: Study
    version: StudyVersion
    design: StudyDesign
    rater: Rater | None
    has_consented: bool

    @property
    def channel(self) -> Channel:
        panel = self.design.panel
        return CHANNELS[panel.kind](panel, study=self.study)


def for_visitors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call the view with the visit of an open study; show an explanation if there is no such study."""
    return _for_visitors(view, takes_closed=False)


def _for_visitors(view: Callable[..., HttpResponse], *, takes_closed: bool) -> Callable[..., HttpResponse]:
    @wraps(view)
    def answer(request: HttpRequest, *, join_token: str, **kwargs: Any) -> HttpResponse:
        language = choose_language(request)
        with translation.override(language):
            response = find_answer(request, join_token, **kwargs)
        response.headers.setdefault("Content-Language", language)
        if read_choice(request):
            remember_choice(response, language, join_token=join_token)
        # Pages show the rater's progress, so the browser's back button must not show outdated ones.
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    def find_answer(request: HttpRequest, join_token: str, **kwargs: Any) -> HttpResponse:
        found = _find_visit(request, join_token)
        if found is None:
            return render(request, "annotation_ui/unknown.html", status=404)
        if found.version is None:
            return render(request, "annotation_ui/draft.html", {"study": found.study})
        visit = _receive(found)
        if visit.study.state == StudyState.DRAFT:
            return allow_framing_by(render(request, "annotation_ui/draft.html", {"study": visit.study}), visit.channel)
        if visit.study.state == StudyState.CLOSED and not takes_closed:
            return show_closed(request, visit)
        return view(request, visit, **kwargs)

    return answer


def for_raters(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Like `for_visitors`, but redirect visitors without consent to the current terms to the study link."""

    @wraps(view)
    @for_visitors
    def answer(request: HttpRequest, visit: Visit, **kwargs: Any) -> HttpResponse:
        if not visit.has_consented:
            if visit.rater and request.method == "POST":
                messages.warning(request, str(TERMS_CHANGED))
            return redirect("annotation_ui:join", visit.study.join_token)
        return view(request, visit, **kwargs)

    return answer


def for_former_raters(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call the view with the visit of a rater, even if the study is closed or its terms have changed."""

    @wraps(view)
    def answer(request: HttpRequest, visit: Visit, **kwargs: Any) -> HttpResponse:
        if visit.rater is None:
            return redirect("annotation_ui:join", visit.study.join_token)
        return view(request, visit, **kwargs)

    return _for_visitors(answer, takes_closed=True)


def show_closed(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show that the study has ended; raters of a panel still need to return to it, or they are not paid."""
    n_done = count_submitted(visit.rater) if visit.rater else 0
    # Raters who were still working have no outcome yet; for them the tasks have run out.
    cut = RaterOutcome.CUT_SHORT if n_done else RaterOutcome.NO_TASKS
    panel_exit = end_visit(visit, RaterOutcome(visit.rater.outcome or cut)) if visit.rater else PanelExit()
    context = {
        "study": visit.study,
        "design": visit.design,
        "n_done": n_done + count_checks_done(visit.rater) if visit.rater else 0,
        "is_late": request.method == "POST",
        "panel_exit": panel_exit,
        "is_rater": visit.rater is not None,
    }
    response = allow_framing_by(render(request, "annotation_ui/closed.html", context), visit.channel)
    return allow_posting_to(response, panel_exit.post_to)


def find_network(request: HttpRequest, visit: Visit) -> str:
    """Return the keyed hash of the network, which limits newcomers; empty for raters with a personal link."""
    return hash_network(request.META) if counts_newcomers(visit.design) else ""


def counts_newcomers(design: StudyDesign) -> bool:
    """Whether newcomers are limited by network, and their first lease is shortened."""
    return bool(settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS) and design.panel.kind != PanelKind.IN_HOUSE


def end_visit(visit: Visit, outcome: RaterOutcome) -> PanelExit:
    """Return the way back to the panel, and record it as the end of the submission."""
    submission = find_submission(visit.rater)
    outcome = name_end(visit.rater, submission, outcome=outcome)
    panel_exit = visit.channel.make_exit(outcome, submission)
    if submission is not None:
        end_submission(submission, outcome=outcome, code=panel_exit.code, now=read_clock())
    return panel_exit


def remember_rater(response: HttpResponse, rater: Rater) -> None:
    """Set the cookie that identifies the rater, which is sent only to the pages of this study."""
    response.set_signed_cookie(
        _name_cookie(rater.study_id),
        rater.pseudonym,
        salt=_name_cookie(rater.study_id),
        max_age=COOKIE_SECONDS,
        path=reverse("annotation_ui:join", args=[rater.study.join_token]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def clear_rater_cookie(response: HttpResponse, study: Study) -> None:
    """Delete the cookie that identifies the rater."""
    response.delete_cookie(_name_cookie(study.pk), path=reverse("annotation_ui:join", args=[study.join_token]))


def read_rater(request: HttpRequest, study: Study) -> Rater | None:
    """Return the rater identified by the cookie of this study; None if there is none, or it is forged."""
    pseudonym = _read_cookie(request, _name_cookie(study.pk))
    return Rater.objects.filter(study=study, pseudonym=pseudonym).first() if pseudonym else None


def _find_visit(request: HttpRequest, join_token: str) -> FoundVisit | None:
    """Find study and rater with one query, as browsers usually send a single cookie of a study."""
    names = [name for name in request.COOKIES if name.startswith(_PREFIX)]
    name = names[0] if len(names) == 1 else ""
    found = find_visit(join_token, pseudonym=_read_cookie(request, name) if name else "")
    if found is None or not names or name == _name_cookie(found.study.pk):
        return found
    return replace(found, rater=read_rater(request, found.study), has_agreed=False)


def _receive(found: FoundVisit) -> Visit:
    study, version, rater = found.study, found.version, found.rater
    if rater is not None:
        store_language(rater, translation.get_language())
    agreed = rater is not None and (found.has_agreed or has_consented(rater, version=version))
    return Visit(study, version, StudyDesign.from_json(version.design), rater, has_consented=agreed)


def _read_cookie(request: HttpRequest, name: str) -> str:
    """Return the pseudonym in a cookie; empty if there is none, or it is forged."""
    return request.get_signed_cookie(name, default="", salt=name, max_age=COOKIE_SECONDS)


def _name_cookie(study_id: int) -> str:
    return f"{_PREFIX}{study_id}"
