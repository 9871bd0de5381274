"""Views of tasks: showing, submitting, correcting and returning them, and the feedback of training."""

import logging

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import TaskForm
from annotation_ui.views.refusals import refuse
from annotation_ui.views.refused_answers import forget_refused, keep_refused, read_refused
from annotation_ui.views.visits import Visit, find_network, for_raters
from studies.collection.assignment import (
    CannotSubmit,
    Stage,
    StageName,
    TooManyNewcomers,
    correct_answers,
    find_correctable,
    find_stage,
    return_task,
    submit_answers,
    take_lease,
)
from studies.collection.assignment.rater_assignments import find_assignment
from studies.collection.events import record_refusal
from studies.collection.shown_tasks import load_answers, load_shown_items
from studies.design.study_design import StudyDesign
from studies.enums import AssignmentState, TaskRole
from studies.models import Assignment
from studies.shared.clock import read_clock

logger = logging.getLogger(__name__)
RETRY_SECONDS = 30
_NOT_OFFERED = frozenset(
    {"invalid", "invalid_choice", "min_value", "max_value", "step_size", "null_characters_not_allowed", "control"}
)
_WAITING = {StageName.PAUSE: "annotation_ui:break", StageName.DONE: "annotation_ui:thanks"}


@require_safe
@for_raters
def show_task(request: HttpRequest, visit: Visit) -> HttpResponse:
    try:
        lease = take_lease(visit.rater, version=visit.version, now=read_clock(), network=find_network(request, visit))
    except TooManyNewcomers as refusal:
        response = render(request, "annotation_ui/crowded.html", {"study": visit.study, "reason": refusal}, status=429)
        response["Retry-After"] = str(RETRY_SECONDS)
        return response
    if lease is None:
        name = find_stage(visit.rater).name
        return redirect(_WAITING.get(name, "annotation_ui:pause"), visit.study.join_token)
    form = _build_form(visit, lease.assignment, data=read_refused(request, form=_name_form(lease.assignment)))
    return _render_task(request, visit, lease.assignment, form, stage=lease.stage)


@require_POST
@for_raters
def submit(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None:
        return _refuse_foreign(request, visit, pk)
    if assignment.submitted_at is None:
        form = _build_form(visit, assignment, data=request.POST)
        refused = _check_form(request, visit, assignment, form)
        if refused:
            return refused
        try:
            submit_answers(
                assignment,
                answers=form.read_answers(),
                now=read_clock(),
                version=visit.version,
                network=find_network(request, visit),
            )
        except CannotSubmit as refusal:
            messages.warning(request, str(refusal))
            return redirect("annotation_ui:task", visit.study.join_token)
    return forget_refused(request, _find_next(visit, assignment), path=_find_page(visit, corrects=False))


@require_safe
@for_raters
def show_last(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the last answer for correction."""
    last = find_correctable(visit.rater)
    if last is None:
        return redirect("annotation_ui:task", visit.study.join_token)
    form = _build_form(visit, last, data=read_refused(request, form=_name_form(last)), given=load_answers(last))
    return _render_task(request, visit, last, form, stage=find_stage(visit.rater), corrects=True)


@require_POST
@for_raters
def correct(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None:
        return _refuse_foreign(request, visit, pk)
    form = _build_form(visit, assignment, data=request.POST)
    refused = _check_form(request, visit, assignment, form, corrects=True)
    if refused:
        return refused
    try:
        correct_answers(assignment, answers=form.read_answers(), now=read_clock())
    except CannotSubmit as refusal:
        messages.warning(request, str(refusal))
    response = redirect("annotation_ui:task", visit.study.join_token)
    return forget_refused(request, response, path=_find_page(visit, corrects=True))


@require_POST
@for_raters
def return_to_others(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None:
        return _refuse_foreign(request, visit, pk)
    return_task(assignment)
    response = redirect("annotation_ui:pause", visit.study.join_token)
    return forget_refused(request, response, path=_find_page(visit, corrects=False))


def _find_next(visit: Visit, assignment: Assignment) -> HttpResponse:
    pages = {TaskRole.TRAINING: "annotation_ui:feedback", TaskRole.QUALIFICATION: "annotation_ui:qualification"}
    page = pages.get(TaskRole(assignment.task.role))
    if page == "annotation_ui:feedback":
        return redirect(page, visit.study.join_token, assignment.pk)
    return redirect(page or "annotation_ui:task", visit.study.join_token)


def _build_form(
    visit: Visit, assignment: Assignment, *, data: dict | None = None, given: dict | None = None
) -> TaskForm:
    # Use the design of the assignment, as there may be a newer one.
    is_newest = assignment.version_id == visit.version.pk
    design = visit.design if is_newest else StudyDesign.from_json(assignment.version.design)
    shown = load_shown_items(assignment, seed=visit.study.seed)
    return KINDS[visit.study.kind](shown, design=design, data=data, given=given)


def _render_task(
    request: HttpRequest, visit: Visit, assignment: Assignment, form: TaskForm, *, stage: Stage, corrects: bool = False
) -> HttpResponse:
    left = assignment.expires_at - read_clock()
    seconds_left = max(0, round(left.total_seconds()))
    n_left = stage.n_total - stage.n_done
    context = {
        "study": visit.study,
        "design": form.design,
        "assignment": assignment,
        "form": form,
        "stage": stage,
        "corrects": corrects,
        # Between main tasks the last answer, even to a check, can be corrected.
        "can_correct": not corrects and form.design.may_correct and stage.name == StageName.MAIN and stage.n_done > 0,
        "seconds_left": seconds_left,
        "draft_key": _name_draft(assignment, corrects=corrects),
        "draft_seconds": 60 * form.design.lease_minutes if corrects else seconds_left,
        "minutes_left": max(0, round(left.total_seconds() / 60)),
        "study_minutes_left": -(-n_left * form.design.task_seconds // 60),
    }
    return render(request, "annotation_ui/task.html", context, status=422 if request.method == "POST" else 200)


def _check_form(
    request: HttpRequest, visit: Visit, assignment: Assignment, form: TaskForm, *, corrects: bool = False
) -> HttpResponse | None:
    """Return the response to an invalid form, usually a redirect to the page that asks again; None if it is valid."""
    if _has_unknown_fields(form):
        return refuse(request, "UnknownFields", assignment=assignment.pk)
    if form.is_valid():
        return None
    _note_wrong(visit, assignment, form)
    path = _find_page(visit, corrects=corrects)
    response = redirect(path)
    is_shown_there = corrects or (assignment.state == AssignmentState.LEASED and assignment.expires_at > read_clock())
    if is_shown_there and keep_refused(response, form.data, form=_name_form(assignment), path=path):
        return response
    return _render_task(request, visit, assignment, form, stage=find_stage(visit.rater), corrects=corrects)


def _find_page(visit: Visit, *, corrects: bool) -> str:
    return reverse("annotation_ui:last" if corrects else "annotation_ui:task", args=[visit.study.join_token])


def _name_form(assignment: Assignment) -> str:
    return f"task-{assignment.rater_id}-{assignment.pk}"


def _name_draft(assignment: Assignment, *, corrects: bool) -> str:
    """Return the name under which a browser keeps answers that are not submitted; no other rater can guess it."""
    content = f"{assignment.rater_id}-{assignment.pk}-{corrects:d}"
    return salted_hmac("annotation_ui.drafts", content).hexdigest()[:20]


def _has_unknown_fields(form: TaskForm) -> bool:
    asked = {*form.fields, *(question.elapsed_name for question in form.list_questions())}
    return bool(set(form.data) - asked - {"csrfmiddlewaretoken"})


def _note_wrong(visit: Visit, assignment: Assignment, form: TaskForm) -> None:
    """Record answers that cannot be given on the page itself; missing answers are not recorded."""
    errors = form.errors.as_data().items()
    called = form.find_items()
    wrong = {
        called.get(name, name): error.code for name, found in errors for error in found if error.code in _NOT_OFFERED
    }
    if wrong:
        record_refusal(visit.rater, reason="WrongAnswer", now=read_clock(), assignment=assignment.pk, fields=wrong)


def _refuse_foreign(request: HttpRequest, visit: Visit, pk: int) -> HttpResponse:
    logger.warning("rater %s asked for assignment %d, which is not theirs", visit.rater, pk)
    record_refusal(visit.rater, reason="NotTheirs", now=read_clock(), assignment=pk)
    return render(request, "annotation_ui/not_yours.html", {"study": visit.study}, status=404)
