"""Views for the end of a visit: a stop for now, a break between sessions, or thanks and the return to the panel."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.views.framing import allow_posting_to
from annotation_ui.views.resuming import make_resume_link
from annotation_ui.views.visits import Visit, end_visit, for_raters
from studies.collection.arrival.arrivals import find_submission, name_end
from studies.collection.assignment import StageName, begin_session, find_stage
from studies.collection.assignment.rater_assignments import do_others_work, is_complete
from studies.enums import PanelKind, RaterOutcome
from studies.shared.clock import read_clock


@require_safe
@for_raters
def show_pause(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show that the rater has stopped for now."""
    context = {
        "study": visit.study,
        "stage": find_stage(visit.rater),
        "resume_link": make_resume_link(request, visit.rater),
    }
    return render(request, "annotation_ui/pause.html", context)


@require_safe
@for_raters
def show_break(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show that a session is over and another one may follow."""
    stage = find_stage(visit.rater)
    if stage.name != StageName.PAUSE:
        return redirect("annotation_ui:task", visit.study.join_token)
    panel_exit = end_visit(visit, RaterOutcome.FINISHED)
    context = {
        "study": visit.study,
        "stage": stage,
        "panel_exit": panel_exit,
        "goes_on_here": _goes_on_here(visit),
        "resume_link": make_resume_link(request, visit.rater),
    }
    return allow_posting_to(render(request, "annotation_ui/break.html", context), panel_exit.post_to)


@require_POST
@for_raters
def begin(_request: HttpRequest, visit: Visit) -> HttpResponse:
    """Begin the next session."""
    if _goes_on_here(visit):
        begin_session(visit.rater, now=read_clock())
    return redirect("annotation_ui:task", visit.study.join_token)


@require_safe
@for_raters
def show_thanks(request: HttpRequest, visit: Visit) -> HttpResponse:
    stage = find_stage(visit.rater)
    if stage.name != StageName.DONE or not stage.outcome:
        return redirect("annotation_ui:task", visit.study.join_token)
    outcome = RaterOutcome(stage.outcome)
    ends_as = name_end(visit.rater, find_submission(visit.rater), outcome=outcome)
    panel_exit = end_visit(visit, outcome)
    context = {
        "study": visit.study,
        "design": visit.design,
        "stage": stage,
        "panel_exit": panel_exit,
        "ends_as": ends_as,
        "is_complete": is_complete(visit.study),
        "do_others_work": do_others_work(visit.rater, now=read_clock()),
        "is_paid": bool(visit.design.pay.reward or visit.design.pay.hourly_wage),
        "is_panel": visit.design.panel.kind not in (PanelKind.LINK, PanelKind.IN_HOUSE),
    }
    return allow_posting_to(render(request, "annotation_ui/thanks.html", context), panel_exit.post_to)


def _goes_on_here(visit: Visit) -> bool:
    """Whether the next session is started by a button; otherwise each session is a separate submission at the panel."""
    panel = visit.design.panel
    if panel.kind == PanelKind.GENERIC:
        # A panel that does not distinguish visits cannot send a rater for a second session.
        return not panel.session_parameter
    return panel.kind in (PanelKind.LINK, PanelKind.IN_HOUSE)
