"""The leaderboard of a phase, as a page and as files."""

from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from challenges.baselines.notes import list_notes
from challenges.board.diversity import find_axes, place_entries, title_axis
from challenges.board.history import find_teams
from challenges.board.ranking import Board, Bounds, Column, Entry, may_see_board
from challenges.board.shown import name_column, show_board
from challenges.board.tables import FORMATS
from challenges.forms.board import AxesForm
from challenges.human.table import HumanTable
from challenges.models import Phase, Submission, Team
from challenges.views.challenge import describe_challenge, find_state
from challenges.views.fetch import fetch_challenge, fetch_phase
from correlation.comparison.letters import name_cluster
from correlation.figures.labelled import SIZES, draw_labelled
from correlation.figures.rendering import CONTENT_TYPES as FIGURE_TYPES
from correlation.figures.rendering import render as render_figure
from studies.shared.content_types import send_lines
from studies.templatetags.numbers import decimals


@require_safe
@never_cache
def show_leaderboard(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    challenge = fetch_challenge(request, slug)
    found = fetch_board_phase(request, fetch_phase(challenge, phase))
    board, order = show_board(found, user=request.user, now=timezone.now(), order=request.GET.get("order", ""))
    shown = describe_challenge(request, challenge, tab="challenges:board")
    teams = find_teams(found, board, own=shown["team"], user=request.user)
    own = list_own_submissions(found, shown["team"])
    numbers = order_side_by_side(board.columns)
    context = {
        **shown,
        "phase": found,
        "state": find_state(found, now=timezone.now()),
        "phases": [
            each for each in challenge.phases.all() if may_see_board(each, user=request.user, now=timezone.now())
        ],
        "heads": group_columns([board.columns[number] for number in numbers]),
        "columns": [(board.columns[number], name_column(board.columns[number])) for number in numbers],
        "order": order,
        "rows": [
            (
                each,
                each.submission in own,
                teams.get(each.submission),
                [decimals(each.values[number], found.decimals) for number in numbers],
                find_precision(board, each, order),
            )
            for each in board.entries
        ],
        "notes": list_notes(board, found),
        "intervals_at": board.intervals_at,
        "has_clusters": any(each.clusters for each in board.entries),
        "n_references": len({each.references for each in board.columns}),
        "query": f"?order={name_column(order)}" if order else "",
        "formats": tuple(FORMATS),
        **_describe_human(board.human),
        **_describe_diversity(request, found, board),
    }
    return render(request, "challenges/board.html", context)


@require_safe
@never_cache
def draw_diversity(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Draw the entries by accuracy and diversity."""
    found = fetch_board_phase(request, fetch_phase(fetch_challenge(request, slug), phase))
    board, _ = show_board(found, user=request.user, now=timezone.now())
    shown, size = _describe_diversity(request, found, board), request.GET.get("size", "wide")
    if not shown or size not in SIZES:
        raise Http404("there is no such figure")
    titles = {kind: title_axis(column, kind=kind) for kind, column in shown["axes"].chosen.items()}
    figure = draw_labelled(
        shown["points"], x_title=titles["diversity"], y_title=titles["accuracy"], joins=False, size=size
    )
    return HttpResponse(render_figure(figure, "svg"), content_type=FIGURE_TYPES["svg"])


def _describe_diversity(request: HttpRequest, phase: Phase, board: Board) -> dict[str, Any]:
    """Return the chosen metrics and points of the figure by accuracy and diversity; nothing where there is none."""
    axes = find_axes(phase, board)
    if axes is None:
        return {}
    form = AxesForm(request.GET, axes=axes)
    points = place_entries(board, **form.chosen)
    return {"axes": form, "points": points} if points else {}


def _describe_human(human: HumanTable | None) -> dict[str, Any]:
    """Return what the section of human results shows."""
    if human is None:
        return {}
    judged = [(each, zip(human.columns, each.cells, strict=True)) for each in human.rows]
    return {"human": human, "judged": judged, "people": zip(human.columns, human.people, strict=True)}


@require_safe
@never_cache
def download_leaderboard(request: HttpRequest, slug: str, phase: str, file_format: str) -> HttpResponseBase:
    found = fetch_board_phase(request, fetch_phase(fetch_challenge(request, slug), phase))
    if file_format not in FORMATS:
        raise Http404(f"the leaderboard is available as {' or '.join(FORMATS)}, not as {file_format}")
    board, _ = show_board(found, user=request.user, now=timezone.now(), order=request.GET.get("order", ""))
    lines = FORMATS[file_format](board, found.decimals)
    return send_lines(lines, file_name=f"{slug}-{phase}-leaderboard.{file_format}")


def fetch_board_phase(request: HttpRequest, phase: Phase) -> Phase:
    """Return the phase if the person may see the results of all teams; 404 otherwise."""
    if not may_see_board(phase, user=request.user, now=timezone.now()):
        raise Http404("the leaderboard is not shown")
    return phase


def list_own_submissions(phase: Phase, team: Team | None) -> set[int]:
    """Return the keys of the submissions of a team in a phase."""
    return set(Submission.objects.filter(phase=phase, team=team).values_list("pk", flat=True)) if team else set()


def order_side_by_side(columns: tuple[Column, ...]) -> list[int]:
    """Return the numbers of columns so that the sets of references of a metric stand beside each other."""
    metrics = list(dict.fromkeys(each.metric for each in columns))
    return sorted(range(len(columns)), key=lambda number: metrics.index(columns[number].metric))


def find_precision(board: Board, entry: Entry, order: Column | None) -> tuple[Bounds | None, str]:
    """Return the interval of an entry's score in the column that ranks, and the letter of its cluster if it has one."""
    number = board.columns.index(order) if order else 0
    cluster = entry.clusters[number] if entry.clusters else None
    return entry.intervals[number] if entry.intervals else None, name_cluster(cluster) if cluster else ""


def group_columns(columns: list[Column]) -> list[tuple[str, int]]:
    """Return each metric with the number of its columns."""
    return [(metric, len(list(each))) for metric, each in groupby(columns, key=lambda column: column.metric)]
