"""The end of a visit: a pause, or thanks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation_ui.views.visits import Visit, for_raters
from studies.domain.queries.assignments import count_progress


@require_safe
@for_raters
def show_pause(request: HttpRequest, visit: Visit) -> HttpResponse:
    return _show(request, visit, "annotation_ui/pause.html")


@require_safe
@for_raters
def show_thanks(request: HttpRequest, visit: Visit) -> HttpResponse:
    if visit.rater.finished_at is None:
        return redirect("annotation_ui:task", visit.study.join_token)
    return _show(request, visit, "annotation_ui/thanks.html")


def _show(request: HttpRequest, visit: Visit, template: str) -> HttpResponse:
    progress = count_progress(visit.rater, design=visit.design)
    return render(request, template, {"study": visit.study, "design": visit.design, "progress": progress})
