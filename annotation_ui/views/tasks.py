"""The task that a rater works on: shown, submitted, or given back."""

import logging

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import TaskForm
from annotation_ui.views.visits import Visit, for_raters
from studies.domain.assigning import CannotSubmit, lease_task, return_task, submit_answers
from studies.domain.design import StudyDesign
from studies.domain.queries.assignments import count_progress, find_assignment
from studies.domain.queries.shown_tasks import load_shown_items
from studies.models import Assignment

logger = logging.getLogger(__name__)


@require_safe
@for_raters
def show_task(request: HttpRequest, visit: Visit) -> HttpResponse:
    assignment = lease_task(visit.rater, now=timezone.now())
    if assignment is None:
        return redirect("annotation_ui:thanks", visit.study.join_token)
    return _render_task(request, visit, assignment, _build_form(visit, assignment))


@require_POST
@for_raters
def submit(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None:
        return _refuse_foreign(request, visit, pk)
    form = _build_form(visit, assignment, data=request.POST)
    if assignment.submitted_at is None and not form.is_valid():
        return _render_task(request, visit, assignment, form)
    if assignment.submitted_at is None:
        try:
            submit_answers(assignment, answers=form.read_answers(), now=timezone.now())
        except CannotSubmit as refusal:
            messages.warning(request, str(refusal))
    return redirect("annotation_ui:task", visit.study.join_token)


@require_POST
@for_raters
def return_to_others(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None:
        return _refuse_foreign(request, visit, pk)
    return_task(assignment)
    return redirect("annotation_ui:pause", visit.study.join_token)


def _build_form(visit: Visit, assignment: Assignment, *, data: dict | None = None) -> TaskForm:
    # The design that the rater was given, should there be a newer one by now.
    design = StudyDesign.from_json(assignment.version.design)
    return KINDS[visit.study.kind](load_shown_items(assignment), design=design, data=data)


def _render_task(request: HttpRequest, visit: Visit, assignment: Assignment, form: TaskForm) -> HttpResponse:
    left = assignment.expires_at - timezone.now()
    context = {
        "study": visit.study,
        "design": form.design,
        "assignment": assignment,
        "form": form,
        "progress": count_progress(visit.rater, design=visit.design),
        "seconds_left": max(0, round(left.total_seconds())),
        "minutes_left": max(0, round(left.total_seconds() / 60)),
    }
    return render(request, "annotation_ui/task.html", context, status=422 if form.errors else 200)


def _refuse_foreign(request: HttpRequest, visit: Visit, pk: int) -> HttpResponse:
    logger.warning("rater %s asked for assignment %d, which is not theirs", visit.rater, pk)
    return render(request, "annotation_ui/not_yours.html", {"study": visit.study}, status=404)
