"""Pages on which hosts make human studies of a phase, show their results and correlate them with metrics."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from challenges.errors import ChallengeRefused
from challenges.forms.human import HumanStudyForm, SystemStudyForm
from challenges.human.columns import list_shown
from challenges.human.correlating import make_system_study
from challenges.human.making import make_human_study
from challenges.human.showing import show_human_results
from challenges.models import HumanStudy, Phase
from challenges.views.challenge import describe_challenge
from challenges.views.fetch import fetch_hosted_challenge, fetch_phase
from studies.access.visibility import visible_studies
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in, refusals_to

_MAKING: Final = (
    "The study is a draft that you own, with a dataset of its own: the sampled images and the captions of the entries. "
    "You complete its design and open it like any study. Raters see images and captions, but no authors or scores.",
    "For M1 and M2, raters also see one human caption of each sampled image, which is one of the private references; "
    "members of the study can download these captions. Choose few images, do not add members who are not hosts, and "
    "do not publish the data of the study while the challenge is running. Studies of other criteria show no reference.",
)
_CORRELATING: Final = (
    "This creates a closed study that you own, with the shown human results and the scores of the leaderboard for "
    "each entry, under the protocol coco-2015@1 (Pearson's r over entries). Its page and the command correlate show "
    "how well each metric agrees with people. Entries that were not judged on every criterion are left out.",
)


@login_required
@require_safe
@never_cache
def show_human_studies(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    found = _fetch(request, slug, phase)
    own = set(visible_studies(request.user).values_list("pk", flat=True))
    studies = found.human_studies.select_related("study").prefetch_related("entries").order_by("pk")
    context = {
        **describe_challenge(request, found.challenge, tab="challenges:human"),
        "phase": found,
        "rows": [
            (
                each,
                each.study_id in own,
                each.is_shown,
                len(each.images),
                len(each.entries.all()),
            )
            for each in studies
        ],
        "has_results": bool(list_shown(found)),
    }
    return render(request, "challenges/human_studies.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_human_study(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    found = _fetch(request, slug, phase)
    form = HumanStudyForm(_read(request), phase=found)
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            made = make_human_study(found, plan=form.plan, owner=request.user, **who_and_when(request))
            messages.success(request, "The study is a draft. Complete its design, then open it.")
            return redirect("studies:study", made.study.name)
    page = {"title": f"Let people judge the entries of “{found.title}”", "texts": _MAKING, "button": "Create the study"}
    return _show_form(request, found, form, page)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correlate(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    found = _fetch(request, slug, phase)
    initial = {"name": f"{found.challenge.slug}-{found.slug}-correlations"[:90]}
    form = SystemStudyForm(_read(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_in(form, ChallengeRefused, capital=True):
            made = make_system_study(found, owner=request.user, **form.cleaned_data, **who_and_when(request))
            return redirect("studies:explore", made.name)
    page = {"title": f"Correlate people and metrics in “{found.title}”", "texts": _CORRELATING, "button": "Correlate"}
    return _show_form(request, found, form, page)


@login_required
@require_POST
def show_results(request: HttpRequest, slug: str, phase: str, pk: int) -> HttpResponse:
    found = _fetch(request, slug, phase)
    human = get_object_or_404(HumanStudy, phase=found, pk=pk)
    with refusals_to(request, ChallengeRefused, capital=True):
        show_human_results(human, **who_and_when(request))
        messages.success(request, "The results are shown with the leaderboard.")
    return redirect("challenges:human", slug, phase)


def _fetch(request: HttpRequest, slug: str, phase: str) -> Phase:
    return fetch_phase(fetch_hosted_challenge(request, slug), phase)


def _read(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _show_form(request: HttpRequest, phase: Phase, form: Any, page: dict[str, Any]) -> HttpResponse:
    shown = describe_challenge(request, phase.challenge, tab="challenges:human")
    context = {**shown, "phase": phase, "form": form, "page": page}
    return render(request, "challenges/human_form.html", context, status=422 if form.errors else 200)
