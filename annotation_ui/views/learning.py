"""Feedback on training tasks, and the result of an attempt at the qualification."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation_ui.kinds.wording import describe_answer, describe_expected
from annotation_ui.views.visits import Visit, for_raters
from studies.collection.assignment import GradedItem, StageName, find_stage, grade_training
from studies.collection.assignment.rater_assignments import find_assignment
from studies.collection.shown_tasks import ShownItem, load_shown_items
from studies.enums import TaskRole


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback on the answer to an item of a training task.

    Attributes:
        shown: The item as shown to the rater.
        graded: Whether the answer is correct, and why.
        answer: The rater's answer in words.
        expected: The correct answers in words; empty if the item has none.
    """

    shown: ShownItem
    graded: GradedItem
    answer: str
    expected: str


@require_safe
@for_raters
def show_feedback(request: HttpRequest, visit: Visit, *, pk: int) -> HttpResponse:
    assignment = find_assignment(pk, rater=visit.rater)
    if assignment is None or assignment.task.role != TaskRole.TRAINING:
        return redirect("annotation_ui:task", visit.study.join_token)
    graded = {one.item: one for one in grade_training(assignment)}
    feedback = [
        Feedback(
            shown=shown,
            graded=graded[shown.pk],
            answer=describe_answer(visit.study.kind, graded[shown.pk].value, shown=shown, design=visit.design),
            expected=describe_expected(visit.study.kind, graded[shown.pk].expected, shown=shown, design=visit.design),
        )
        for shown in load_shown_items(assignment, seed=visit.study.seed)
        if shown.pk in graded
    ]
    if not feedback:
        return redirect("annotation_ui:task", visit.study.join_token)
    context = {"study": visit.study, "design": visit.design, "feedback": feedback, "stage": find_stage(visit.rater)}
    return render(request, "annotation_ui/feedback.html", context)


@require_safe
@for_raters
def show_qualification(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the result of the last attempt if it is complete, otherwise redirect to the next task."""
    stage = find_stage(visit.rater)
    last = visit.rater.qualification_attempts.last()
    is_under_way = stage.name == StageName.QUALIFICATION and (last is None or stage.n_done > 0)
    if last is None or is_under_way or stage.name == StageName.DONE:
        return redirect("annotation_ui:task", visit.study.join_token)
    context = {"study": visit.study, "attempt": last, "stage": stage}
    return render(request, "annotation_ui/qualification.html", context)
