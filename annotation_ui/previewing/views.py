"""Views of the preview, for users who may see the study; only their progress is stored, in a cookie."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation_ui.channels.base import PanelExit
from annotation_ui.earnings import describe_earnings
from annotation_ui.kinds import KINDS
from annotation_ui.languages import choose_language
from annotation_ui.previewing.tasks import ShownTask, grade_form, list_tasks, make_form
from annotation_ui.views.framing import allow_own_frame
from annotation_ui.views.images import send_image
from annotation_ui.views.joining import ConsentForm
from annotation_ui.views.visits import counts_newcomers
from studies.access.visibility import visible_studies
from studies.collection.assignment import Stage, StageName
from studies.collection.shown_tasks import find_image
from studies.design.completion_codes import find_completion_code
from studies.design.study_design import StudyDesign
from studies.design.study_facts import load_facts
from studies.enums import RaterOutcome, TaskRole
from studies.forms.design.steps import add_draft
from studies.models import Image, Study

NOTE: Final = "This is a preview of the rater pages. Nothing you do here is stored."
ENDED: Final = "The preview ends here: leaving, withdrawing and continuing elsewhere are not part of it."
NO_CODE: Final = "EXAMPLE-CODE"
TYPED: Final = "typed"
"""The parameter with the step whose page shows a preview in a frame, with what is typed there."""
_NAMESPACE: Final = "preview"
_END: Final = "end"


def for_colleagues(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call the view with a study that the user may see and its newest design, in the chosen language."""

    @login_required
    @wraps(view)
    def answer(request: HttpRequest, *, join_token: str, **kwargs: Any) -> HttpResponse:
        # PostgreSQL does not accept strings with NUL, not even for comparison.
        study = get_object_or_404(visible_studies(request.user), join_token=join_token.replace("\0", ""))
        language = choose_language(request)
        design, step = load_facts(study).design, request.GET.get(TYPED, "")
        if step:
            design = add_draft(study, design, user=request.user, step=step)
        with translation.override(language):
            response = view(request, study, _stand_in(design), **kwargs)
        if step:
            allow_own_frame(response)
        response.headers.setdefault("Content-Language", language)
        add_never_cache_headers(response)
        return response

    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@for_colleagues
def show_join(request: HttpRequest, study: Study, design: StudyDesign) -> HttpResponse:
    """Show the page of the study link and handle its form, which requires consent as for raters."""
    form = ConsentForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _go(study, "instructions")
    response = _ask(request, study, design, form)
    response.delete_cookie(_name_cookie(study), path=_find_root(study))
    return response


@require_POST
@for_colleagues
def show_declined(request: HttpRequest, study: Study, design: StudyDesign) -> HttpResponse:
    panel_exit = PanelExit(code=find_completion_code(design.panel, RaterOutcome.DECLINED))
    return _render(request, "declined", study, design, panel_exit=panel_exit)


@require_safe
@for_colleagues
def show_instructions(request: HttpRequest, study: Study, design: StudyDesign) -> HttpResponse:
    tasks = list_tasks(study)
    kind = KINDS[study.kind]
    stage = tasks[0].stage if tasks else Stage(StageName.DONE, n_done=0, n_total=0)
    first_minutes = design.first_lease_minutes if counts_newcomers(design) else design.lease_minutes
    shown = {"guide": kind.guide, "keys_guide": kind.keys_guide, "stage": stage, "first_minutes": first_minutes}
    return _render(request, "instructions", study, design, **shown)


@require_safe
@for_colleagues
def show_task(request: HttpRequest, study: Study, design: StudyDesign) -> HttpResponse:
    tasks, at = list_tasks(study), request.COOKIES.get(_name_cookie(study), "")
    if not tasks or at == _END:
        return _go(study, "thanks")
    shown = next((one for one in tasks if str(one.task.pk) == at), tasks[0])
    return _show(request, study, design, shown, make_form(study, shown.task, design=design))


@require_POST
@for_colleagues
def try_answer(request: HttpRequest, study: Study, design: StudyDesign, *, pk: int) -> HttpResponse:
    """Validate an answer like a rater's and show the feedback of training, without storing the answer."""
    shown = next((one for one in list_tasks(study) if one.task.pk == pk), None)
    if shown is None:
        raise Http404("this task is not part of the preview")
    form = make_form(study, shown.task, design=design, data=request.POST)
    if not form.is_valid():
        return _show(request, study, design, shown, form)
    if shown.task.role == TaskRole.TRAINING:
        response = _render(request, "feedback", study, design, feedback=grade_form(study, form), stage=shown.stage)
    else:
        response = _go(study, "task")
    response.set_cookie(
        _name_cookie(study), str(shown.following or _END), path=_find_root(study), httponly=True, samesite="Lax"
    )
    return response


@require_POST
@for_colleagues
def show_pause(request: HttpRequest, study: Study, design: StudyDesign, *, pk: int) -> HttpResponse:
    return _render(request, "pause", study, design, stage=Stage(StageName.MAIN, n_done=0, n_total=1), task=pk)


@require_safe
@for_colleagues
def show_thanks(request: HttpRequest, study: Study, design: StudyDesign) -> HttpResponse:
    n_done = len(list_tasks(study))
    stage = Stage(StageName.DONE, n_done=n_done, n_total=n_done, outcome=RaterOutcome.FINISHED)
    panel_exit = PanelExit(code=find_completion_code(design.panel, RaterOutcome.FINISHED))
    return _render(request, "thanks", study, design, stage=stage, panel_exit=panel_exit)


@require_safe
@for_colleagues
def end_preview(request: HttpRequest, study: Study, _design: StudyDesign) -> HttpResponse:
    messages.info(request, ENDED)
    return redirect("studies:design", study.name)


@require_safe
@for_colleagues
def show_image(_request: HttpRequest, study: Study, _design: StudyDesign, *, name: str) -> HttpResponse:
    pk = find_image(name, seed=study.seed, rater=None)
    image = get_object_or_404(Image.objects.filter(dataset=study.dataset_id).exclude(file=""), pk=pk)
    return send_image(image)


def _stand_in(design: StudyDesign) -> StudyDesign:
    """Return the design without its secrets, and with placeholders in place of completion codes."""
    public = design.without_secrets()
    return replace(public, panel=replace(public.panel, codes=dict.fromkeys(design.panel.codes, NO_CODE)))


def _ask(request: HttpRequest, study: Study, design: StudyDesign, form: ConsentForm) -> HttpResponse:
    n_main = load_facts(study).n_tasks
    n_tasks = min(n_main, design.tasks_per_rater or n_main)
    minutes, pay = -(-n_tasks * design.task_seconds // 60), describe_earnings(design, n_tasks=n_tasks)
    status = 422 if form.errors else 200
    context = {"form": form, "n_tasks": n_tasks, "minutes": minutes, "pay": pay, "is_form": True}
    return _render(request, "join", study, design, status=status, **context)


def _show(request: HttpRequest, study: Study, design: StudyDesign, shown: ShownTask, form: Any) -> HttpResponse:
    context = {
        "form": form,
        "stage": shown.stage,
        "assignment": shown.task,
        "seconds_left": design.lease_minutes * 60,
        "minutes_left": design.lease_minutes,
        "study_minutes_left": -(-design.task_seconds * shown.n_tasks // 60),
    }
    return _render(request, "task", study, design, status=422 if form.errors else 200, **context)


def _render(
    request: HttpRequest, page: str, study: Study, design: StudyDesign, *, status: int = 200, **context: Any
) -> HttpResponse:
    # Instead of the messages of the site, which are for researchers' own pages.
    known = {"study": study, "design": design, "messages": [NOTE]}
    return render(request, f"annotation_ui/{page}.html", {**known, **context}, status=status)


def _go(study: Study, page: str) -> HttpResponse:
    return redirect(reverse(f"annotation_ui:{page}", args=[study.join_token], current_app=_NAMESPACE))


def _find_root(study: Study) -> str:
    return reverse("annotation_ui:join", args=[study.join_token], current_app=_NAMESPACE)


def _name_cookie(study: Study) -> str:
    return f"preview-{study.pk}"
