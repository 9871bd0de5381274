"""The files and keys of single panels: Mechanical Turk's question and batches, Prolific's keys."""

from io import BytesIO
from pathlib import Path
from secrets import SystemRandom
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation_ui.channels.external_question import NoQuestion, write_question
from annotation_ui.channels.prolific_keys import NoKeys, fetch_keys
from annotation_ui.recruiting.batches import make_batch, take_results
from annotation_ui.recruiting.forms import BatchForm, QuestionForm, ResultsForm
from annotation_ui.recruiting.views import PAGE, find_site, render_raters
from studies.collection.batches.tasks import BatchRefused
from studies.datasets.thumbnails import NoThumbnail
from studies.design.study_facts import load_facts
from studies.enums import PanelKind
from studies.shared.errors import ImportFailed
from studies.views.fetch import fetch_managed_study, who_and_when
from studies.views.refusals import refusals_in, refusals_to


@login_required
@never_cache
@require_POST
def download_question(request: HttpRequest, name: str) -> HttpResponse:
    """Send the external question of a HIT."""
    study, form = fetch_managed_study(request, name), QuestionForm(request.POST)
    site = find_site(request)
    if not site.startswith("https://"):
        form.add_error(None, f"Mechanical Turk only shows pages with https, and this site is at {site}.")
    if form.is_valid():
        with refusals_in(form, NoQuestion):
            _, text = write_question(study, base_url=site, frame_height=form.cleaned_data["frame_height"] or 0)
            return _send(text.encode(), f"{study.name}.xml", "application/xml")
    return render_raters(request, study, question_form=form, status=422)


@login_required
@never_cache
@require_POST
def download_batch(request: HttpRequest, name: str) -> HttpResponse:
    """Send the table of tasks and the page of a task in a zip."""
    study, form = fetch_managed_study(request, name), BatchForm(request.POST)
    files = None
    if form.is_valid():
        with refusals_in(form, BatchRefused, NoThumbnail):
            files = make_batch(study, images_url=form.cleaned_data["images_url"], **who_and_when(request))
    if files is None:
        return render_raters(request, study, batch_form=form, status=422)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr(f"{study.name}.csv", files.table)
        archive.writestr(f"{study.name}.html", files.page)
    return _send(packed.getvalue(), f"{study.name}-batch.zip", "application/zip")


@login_required
@never_cache
@require_POST
def upload_results(request: HttpRequest, name: str) -> HttpResponse:
    """Import the results of a batch."""
    study, form = fetch_managed_study(request, name), ResultsForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["results"]
        with TemporaryDirectory() as folder:
            # The ending tells how to read it, and nothing else of the name is used.
            path = Path(folder) / "results.csv"
            path.write_bytes(file.read())
            try:
                done = take_results(study, path, rng=SystemRandom(), **who_and_when(request))
            except (ImportFailed, BatchRefused) as refusal:
                form.add_error("results", str(refusal))
            else:
                told = f"Imported {done.n_new:,} assignments by {done.n_raters:,} raters"
                messages.success(request, f"{told}; {done.n_known:,} were already known.")
                return redirect(PAGE, study.name)
    return render_raters(request, study, results_form=form, status=422)


@login_required
@require_POST
def renew_keys(request: HttpRequest, name: str) -> HttpResponse:
    """Fetch the keys with which Prolific signs addresses."""
    study = fetch_managed_study(request, name)
    panel = load_facts(study).design.panel
    if panel.kind != PanelKind.PROLIFIC or not panel.is_signed:
        raise Http404("keys are for studies on Prolific whose addresses are signed")
    with refusals_to(request, NoKeys):
        n_keys = fetch_keys(Path(settings.ACCORDANCE_PROLIFIC_KEYS))
        messages.success(request, f"Fetched {n_keys} of Prolific's keys.")
    return redirect(PAGE, study.name)


def _send(content: bytes, name: str, kind: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(content, content_type=kind, headers=headers)
