"""The page of a team's scores in a phase over time."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from challenges.board.badge import find_badge
from challenges.board.history import STANDINGS, History, list_points, load_history, may_see_history
from challenges.board.ranking import may_see_board
from challenges.board.shown import name_column
from challenges.models import Phase, Team
from challenges.rules import HOST_CHALLENGE
from challenges.taking_part.teams import find_team
from challenges.views.challenge import describe_challenge
from challenges.views.fetch import fetch_challenge, fetch_phase
from correlation.figures.rendering import CONTENT_TYPES
from correlation.figures.rendering import render as render_figure
from correlation.figures.timeline import SIZES, draw_timeline
from studies.forms.analysis.scatter import MetricForm
from studies.templatetags.numbers import decimals


@require_safe
@never_cache
def show_history(request: HttpRequest, slug: str, phase: str, team: int) -> HttpResponse:
    found, of, is_inside = _fetch(request, slug, phase, team)
    history = load_history(found, team=of, with_left_out=is_inside)
    form = _make_form(request, history)
    number = _find_number(history, form)
    context = {
        **describe_challenge(request, found.challenge, tab="challenges:history"),
        "phase": found,
        "of": of,
        "form": form,
        "is_inside": is_inside,
        "shows_board": may_see_board(found, user=request.user, now=timezone.now()),
        "rows": [
            (each, decimals(each.values[number], found.decimals) if history.columns else "") for each in history.past
        ],
        "badge": find_badge(found, team=of, now=timezone.now()),
        "badge_markdown": _write_badge(request, found, of),
        "n_points": len(list_points(history, number=number, time_zone=found.time_zone)) if history.columns else 0,
    }
    return render(request, "challenges/history.html", context)


def _write_badge(request: HttpRequest, phase: Phase, team: Team) -> str:
    """Return the Markdown of a badge that leads to the leaderboard."""
    slug = phase.challenge.slug
    picture = request.build_absolute_uri(reverse("challenges:badge", args=[slug, phase.slug, team.pk]))
    board = request.build_absolute_uri(reverse("challenges:board", args=[slug, phase.slug]))
    # Without characters that Markdown reads.
    text = re.sub(r"[^\w .,-]", "", f"{team.name} in {phase.challenge.title}")
    return f"[![{text}]({picture})]({board})"


@require_safe
@never_cache
def draw_history(request: HttpRequest, slug: str, phase: str, team: int) -> HttpResponse:
    """Draw the figure of the page."""
    found, of, is_inside = _fetch(request, slug, phase, team)
    history = load_history(found, team=of, with_left_out=is_inside)
    form, size = _make_form(request, history), request.GET.get("size", "wide")
    points = (
        list_points(history, number=_find_number(history, form), time_zone=found.time_zone) if history.columns else []
    )
    if not points or size not in SIZES:
        raise Http404("there is no such figure")
    figure = draw_timeline(
        points, series=STANDINGS, x_title=f"submitted ({found.time_zone})", y_title=form.chosen, size=size
    )
    return HttpResponse(render_figure(figure, "svg"), content_type=CONTENT_TYPES["svg"])


def _fetch(request: HttpRequest, slug: str, phase: str, team: int) -> tuple[Phase, Team, bool]:
    """Return the phase, the team, and whether the person is in it or a host; 404 for those who may not see it."""
    challenge = fetch_challenge(request, slug)
    found = fetch_phase(challenge, phase)
    of, own = get_object_or_404(challenge.teams, pk=team), find_team(challenge, user=request.user)
    if not may_see_history(found, team=of, own=own, user=request.user, now=timezone.now()):
        raise Http404("the scores of the team are not shown")
    return found, of, own == of or request.user.has_perm(HOST_CHALLENGE, challenge)


def _make_form(request: HttpRequest, history: History) -> MetricForm:
    return MetricForm(request.GET, metrics=[name_column(each) for each in history.columns])


def _find_number(history: History, form: MetricForm) -> int:
    names = [name_column(each) for each in history.columns]
    return names.index(form.chosen) if names else 0
