"""The page of a study's dataset: its images and systems, and the form that adds a system by a captioner."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from jobs.enums import JobState
from studies.datasets.captioners.errors import CannotCaption
from studies.datasets.captioners.jobs import ask_for_captions, find_caption_job
from studies.datasets.collecting import CannotCollect, collect_captions
from studies.enums import StudyState, TaskKind
from studies.forms.captioning import CaptioningForm, CollectingForm
from studies.models import Candidate, CaptionSet, Image, Reference, Study, System
from studies.rules import CHANGE_STUDY
from studies.views.fetch import fetch_changeable_study, fetch_study, who_and_when
from studies.views.refusals import refusals_in

PAGE = "studies:dataset"


@login_required
@never_cache
@require_safe
def show_dataset(request: HttpRequest, name: str) -> HttpResponse:
    return _render(request, fetch_study(request, name), form=None)


@login_required
@never_cache
@require_POST
def caption_images(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    form = CaptioningForm(request.POST)
    if form.is_valid():
        with refusals_in(form, CannotCaption, capital=True):
            _check_others(request, study)
            ask_for_captions(study.dataset, **form.cleaned_data, **who_and_when(request))
            return redirect(PAGE, name)
    return _render(request, study, form=form)


@login_required
@never_cache
@require_POST
def add_written_captions(request: HttpRequest, name: str) -> HttpResponse:
    """Turn the captions that raters wrote in this study into candidates."""
    study = fetch_changeable_study(request, name)
    form = CollectingForm(request.POST)
    if form.is_valid():
        with refusals_in(form, CannotCaption, CannotCollect, capital=True):
            _check_others(request, study)
            done = collect_captions(study, system=form.cleaned_data["system"], **who_and_when(request))
            added = f"{done.n_new:,} captions were added as candidates of {done.system}"
            messages.success(request, f"{added}; {done.n_known:,} were there before.")
            return redirect(PAGE, name)
    return _render(request, study, form=None, collecting_form=form)


def _check_others(request: HttpRequest, study: Study) -> None:
    """Refuse to change a dataset that is also used by studies of other people."""
    others = Study.objects.filter(dataset=study.dataset_id).exclude(pk=study.pk)
    if not all(request.user.has_perm(CHANGE_STUDY, other) for other in others):
        raise CannotCaption("other studies use this dataset, and you may not change all of them")


def _render(
    request: HttpRequest, study: Study, *, form: CaptioningForm | None, collecting_form: CollectingForm | None = None
) -> HttpResponse:
    dataset = study.dataset
    job = find_caption_job(dataset)
    may_change = request.user.has_perm(CHANGE_STUDY, study)
    candidates = dict(_count(Candidate, dataset=dataset))
    sets = dict(_count(CaptionSet, image__dataset=dataset))
    systems = [
        {"system": each, "n_captions": candidates.get(each.pk, 0), "n_sets": sets.get(each.pk, 0)}
        for each in System.objects.filter(dataset=dataset).order_by("pk")
    ]
    images = Image.objects.filter(dataset=dataset)
    context = {
        "study": study,
        "tab": PAGE,
        "dataset": dataset,
        "systems": systems,
        "n_images": images.count(),
        "n_files": images.exclude(file="").count(),
        "n_references": Reference.objects.filter(image__dataset=dataset).count(),
        "job": job if job is not None and job.state != JobState.DONE else None,
        "form": form or (CaptioningForm() if may_change else None),
        "collecting_form": collecting_form or CollectingForm(),
        "may_collect": may_change and study.kind == TaskKind.CAPTION and study.state == StudyState.CLOSED,
    }
    has_errors = any(each is not None and each.errors for each in (form, collecting_form))
    return render(request, "studies/dataset.html", context, status=422 if has_errors else 200)


def _count(model: type[Candidate] | type[CaptionSet], **chosen: object) -> list[tuple[int, int]]:
    counted = model._default_manager.filter(**chosen).order_by().values_list("system").annotate(n=Count("pk"))
    return list(counted)
