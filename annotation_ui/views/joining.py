"""The study link: what the study is about, consent, instructions."""

from secrets import SystemRandom

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation_ui.kinds import KINDS
from annotation_ui.views.visits import Visit, for_raters, for_visitors, remember_rater
from studies.domain.queries.assignments import count_progress, count_tasks, has_started
from studies.domain.raters import give_consent, join_study, make_nonce


class ConsentForm(forms.Form):
    """Nothing but the agreement, and what tells that a form was sent twice."""

    use_required_attribute = False
    agrees = forms.BooleanField(
        label="I have read this and agree to take part.",
        error_messages={"required": "Tick the box if you agree to take part; without that the study cannot begin."},
    )
    nonce = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput, initial=make_nonce)


@require_http_methods(["GET", "HEAD", "POST"])
@for_visitors
def join(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.rater and visit.has_consented():
        return redirect(_find_next_page(visit), visit.study.join_token)
    form = ConsentForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return _take_in(visit, nonce=form.cleaned_data["nonce"])
    context = {
        "study": visit.study,
        "design": visit.design,
        "n_tasks": count_tasks(visit.study.pk, design=visit.design),
        "is_back": visit.rater is not None,
        "form": form,
    }
    return render(request, "annotation_ui/join.html", context, status=422 if form.errors else 200)


@require_safe
@for_raters
def show_instructions(request: HttpRequest, visit: Visit) -> HttpResponse:
    context = {
        "study": visit.study,
        "design": visit.design,
        "guide": KINDS[visit.study.kind].guide,
        "progress": count_progress(visit.rater, design=visit.design),
    }
    return render(request, "annotation_ui/instructions.html", context)


def _find_next_page(visit: Visit) -> str:
    return "annotation_ui:task" if has_started(visit.rater) else "annotation_ui:instructions"


def _take_in(visit: Visit, *, nonce: str) -> HttpResponse:
    rater, now = visit.rater, timezone.now()
    if rater is None:
        rater = join_study(visit.study, version=visit.version, now=now, rng=SystemRandom(), nonce=nonce)
    else:
        give_consent(rater, version=visit.version, now=now)
    response = redirect("annotation_ui:instructions", visit.study.join_token)
    remember_rater(response, rater)
    return response
