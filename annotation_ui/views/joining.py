"""Views of the study link: arrival, information about the study, consent and instructions."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation_ui.channels import ArrivalRefused
from annotation_ui.earnings import describe_earnings
from annotation_ui.error_headings import FormWithHeadings
from annotation_ui.kinds import KINDS
from annotation_ui.views.framing import allow_framing, allow_framing_by
from annotation_ui.views.visits import Visit, find_network, for_raters, for_visitors, remember_rater
from studies.collection.arrival.arrivals import Arrival, SessionOfAnother, find_arrived, may_resume, record_arrival
from studies.collection.arrival.raters import (
    AlreadyJoined,
    Participant,
    give_consent,
    has_consented,
    join_study,
    make_nonce,
    store_language,
)
from studies.collection.assignment import count_planned, find_first_minutes, find_stage
from studies.collection.assignment.rater_assignments import has_started
from studies.collection.events import record_refused_arrival, record_second_device
from studies.enums import RaterOutcome
from studies.models import Rater
from studies.shared.clock import get_generator, read_clock

_SALT: Final = "arrival"
WINDOW: Final = "window"
UNANSWERED: Final = "unanswered"
"""The parameter of the address to which a form without consent redirects: the signed arrival, or empty."""
ARRIVAL_SECONDS: Final = 24 * 60 * 60


class ConsentForm(FormWithHeadings):
    """The consent, a token that detects repeated submissions, and the signed parameters of the panel."""

    use_required_attribute = False
    agrees = forms.BooleanField(
        label=_("I have read this and agree to take part."),
        error_messages={
            "required": _("Tick the box if you agree to take part. You cannot start the study without it.")
        },
    )
    nonce = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput, initial=make_nonce)
    arrival = forms.CharField(max_length=2000, required=False, widget=forms.HiddenInput)
    # A hidden honeypot, which only programs fill in.
    homepage = forms.CharField(label=_("Leave this field empty"), max_length=200, required=False)

    def clean_homepage(self) -> str:
        if settings.ACCORDANCE_HONEYPOT and self.cleaned_data["homepage"]:
            raise ValidationError(gettext("Leave this field empty: only bots fill it in."))
        return ""

    @property
    def has_trap(self) -> bool:
        return bool(settings.ACCORDANCE_HONEYPOT)


@require_http_methods(["GET", "HEAD", "POST"])
@for_visitors
def join(request: HttpRequest, visit: Visit) -> HttpResponse:
    try:
        if request.method == "POST":
            return _answer_form(request, visit, arrival=_unpack(request.POST.get("arrival", ""), visit))
        if UNANSWERED in request.GET:
            return _ask_again(request, visit, arrival=_unpack(request.GET[UNANSWERED], visit))
        arrival = visit.channel.read_arrival(request.GET)
        if visit.channel.is_framed and WINDOW not in request.GET:
            return _show_in_frame(request, visit, arrival=arrival)
        return _welcome(request, visit, arrival=arrival)
    except AlreadyJoined as refusal:
        record_refused_arrival(refusal.rater, now=read_clock())
        context = {"study": visit.study, "design": visit.design}
        return allow_framing_by(
            render(request, "annotation_ui/second_arrival.html", context, status=403), visit.channel
        )
    except (ArrivalRefused, SessionOfAnother) as refusal:
        context = {"study": visit.study, "reason": str(refusal)}
        return allow_framing_by(render(request, "annotation_ui/refused.html", context, status=403), visit.channel)


@require_POST
@for_visitors
def decline(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the page for people who do not consent; nothing is stored."""
    panel_exit = visit.channel.make_exit(RaterOutcome.DECLINED, None)
    context = {"study": visit.study, "panel_exit": panel_exit}
    return render(request, "annotation_ui/declined.html", context)


@require_safe
@for_raters
def show_instructions(request: HttpRequest, visit: Visit) -> HttpResponse:
    network = find_network(request, visit)
    context = {
        "study": visit.study,
        "design": visit.design,
        "guide": KINDS[visit.study.kind].guide,
        "keys_guide": KINDS[visit.study.kind].keys_guide,
        "stage": find_stage(visit.rater),
        "has_started": has_started(visit.rater),
        "first_minutes": find_first_minutes(visit.rater, design=visit.design, network=network),
    }
    return render(request, "annotation_ui/instructions.html", context)


def _show_in_frame(request: HttpRequest, visit: Visit, *, arrival: Arrival | None) -> HttpResponse:
    """Show the information about the study in the panel's frame, with a link that opens it in a new window.

    Tasks cannot be done in the frame, because browsers do not store cookies for third-party frames.
    """
    address = f"{request.get_full_path()}&{WINDOW}=1" if arrival else ""
    response = _ask(request, visit, ConsentForm(), is_back=False, opens=address, is_form=False)
    return allow_framing(response)


def _welcome(request: HttpRequest, visit: Visit, *, arrival: Arrival | None) -> HttpResponse:
    # The panel's parameters take precedence over the cookie, because a computer may be shared.
    known = find_arrived(visit.study, arrival) if arrival else visit.rater
    if arrival and known and not may_resume(arrival, study=visit.study, rater=visit.rater):
        raise AlreadyJoined(known)
    if known and has_consented(known, version=visit.version):
        if arrival:
            record_arrival(known, arrival, now=read_clock())
        if visit.rater != known:
            record_second_device(known, now=read_clock())
        return _let_in(visit, known)
    if known is None and arrival is None and visit.channel.needs_arrival and not visit.channel.is_preview(request.GET):
        return render(request, "annotation_ui/no_arrival.html", {"study": visit.study}, status=403)
    form = ConsentForm(initial={"arrival": _pack(arrival, visit) if arrival else ""})
    return _ask(request, visit, form, is_back=known is not None)


def _answer_form(request: HttpRequest, visit: Visit, *, arrival: Arrival | None) -> HttpResponse:
    if arrival is None and visit.channel.needs_arrival and visit.rater is None:
        return render(request, "annotation_ui/no_arrival.html", {"study": visit.study}, status=403)
    if arrival is None and visit.rater and visit.has_consented:
        return _let_in(visit, visit.rater)
    form = ConsentForm(request.POST)
    if not form.is_valid():
        if "homepage" in form.errors:
            return _ask(request, visit, form, is_back=visit.rater is not None)
        query = urlencode({UNANSWERED: request.POST.get("arrival", "")})
        return redirect(f"{reverse('annotation_ui:join', args=[visit.study.join_token])}?{query}")
    return _let_in(visit, _take_in(visit, arrival=arrival, nonce=form.cleaned_data["nonce"]))


def _ask_again(request: HttpRequest, visit: Visit, *, arrival: Arrival | None) -> HttpResponse:
    """Show the form that was submitted without consent, with the error."""
    if arrival is None and (visit.has_consented or visit.channel.needs_arrival):
        return redirect("annotation_ui:join", visit.study.join_token)
    form = ConsentForm({"nonce": make_nonce(), "arrival": request.GET[UNANSWERED]})
    return _ask(request, visit, form, is_back=visit.rater is not None)


@transaction.atomic
def _take_in(visit: Visit, *, arrival: Arrival | None, nonce: str) -> Rater:
    rater, now = visit.rater, read_clock()
    if rater is None or arrival is not None:
        rater = join_study(
            visit.study,
            version=visit.version,
            now=now,
            rng=get_generator(),
            participant=arrival.participant if arrival else None,
            nonce=nonce,
            may_resume=arrival is None or may_resume(arrival, study=visit.study, rater=visit.rater),
        )
    else:
        give_consent(rater, version=visit.version, now=now)
    store_language(rater, get_language())
    if arrival is not None:
        record_arrival(rater, arrival, now=now)
    return rater


def _let_in(visit: Visit, rater: Rater) -> HttpResponse:
    page = "annotation_ui:task" if has_started(rater) else "annotation_ui:instructions"
    response = redirect(page, visit.study.join_token)
    remember_rater(response, rater)
    return response


def _ask(
    request: HttpRequest, visit: Visit, form: ConsentForm, *, is_back: bool, opens: str = "", is_form: bool = True
) -> HttpResponse:
    n_tasks, design = count_planned(visit.study, design=visit.design), visit.design
    context: dict[str, Any] = {
        "study": visit.study,
        "design": design,
        "n_tasks": n_tasks,
        "minutes": -(-n_tasks * design.task_seconds // 60),
        "pay": describe_earnings(design, n_tasks=n_tasks),
        "is_back": is_back,
        "is_preview": visit.channel.is_preview(request.GET),
        "is_form": is_form,
        "opens": opens,
        "form": form,
    }
    return render(request, "annotation_ui/join.html", context, status=422 if request.method == "POST" else 200)


def _pack(arrival: Arrival, visit: Visit) -> str:
    """Return the signed arrival, which is valid for this study only."""
    content = [
        arrival.panel,
        arrival.participant.panel,
        arrival.participant.participant_id,
        arrival.session_id,
        dict(arrival.parameters),
        arrival.is_proven,
    ]
    return signing.dumps(content, salt=_make_salt(visit))


def _unpack(text: str, visit: Visit) -> Arrival | None:
    if not text:
        return None
    try:
        panel, owner, participant, session, parameters, is_proven = signing.loads(
            text, salt=_make_salt(visit), max_age=ARRIVAL_SECONDS
        )
    except signing.BadSignature as error:
        raise ArrivalRefused(
            gettext(
                "This page was open for too long, or its address was changed. Please open the study again from the "
                "panel."
            )
        ) from error
    participant = Participant(owner, participant)
    return Arrival(panel, participant, session_id=session, parameters=parameters, is_proven=is_proven)


def _make_salt(visit: Visit) -> str:
    return f"{_SALT}-{visit.study.pk}"
