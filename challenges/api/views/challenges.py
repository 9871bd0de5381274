"""Challenges, their phases and leaderboards."""

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from challenges.api.board_serializers import (
    HistorySerializer,
    LeaderboardSerializer,
    describe_board,
    make_board_context,
)
from challenges.api.fetch import fetch_challenge, fetch_phase, find_own_team, find_viewer
from challenges.api.serializers import ChallengeDetailSerializer, ChallengeSerializer, PhaseDetailSerializer
from challenges.api.views.base import PublicView
from challenges.board.history import find_teams, load_history, may_see_history
from challenges.board.ranking import Board, Column, may_see_board
from challenges.board.shown import find_column, show_board
from challenges.board.tables import FORMATS
from challenges.models import Phase, Submission
from challenges.rules import HOST_CHALLENGE
from challenges.submissions.scoring_jobs import ALLOWS_EMPTY
from challenges.taking_part.instructions import describe_results, list_image_ids
from challenges.taking_part.limits import count_usage
from challenges.taking_part.visibility import visible_challenges
from metrics_plugins.readers.results import MAX_CHARACTERS
from studies.api.views.base import describe, list_of
from studies.shared.content_types import send_lines

_ORDER = OpenApiParameter("order", str, description="The name of a column, such as `cider-d:c5`.")
_FORMAT = OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=sorted(FORMATS))


class ChallengeList(PublicView):
    """The challenges that one may see."""

    @list_of(ChallengeSerializer, "List challenges\nWithout drafts of others.", operation="challenges_list")
    def get(self, request: Request) -> Response:
        found = visible_challenges(find_viewer(request)).order_by("title", "pk")
        return self.answer_page(found, ChallengeSerializer, request)


class ChallengeDetail(PublicView):
    """One challenge."""

    @describe("Show a challenge\nWith its terms and phases.", answer=ChallengeDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ChallengeDetailSerializer(fetch_challenge(request, slug)).data)


class PhaseDetail(PublicView):
    """One phase."""

    @describe(
        "Show a phase\nWith the rules for its files, the ids of its images, and what is left of the team's limits.",
        answer=PhaseDetailSerializer,
    )
    def get(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_phase(request, slug, phase)
        team = find_own_team(request, found.challenge)
        shown = {
            "file_name": describe_results(found).file_name,
            "image_ids": list_image_ids(found),
            "max_characters": MAX_CHARACTERS,
            "allow_empty": ALLOWS_EMPTY,
            "usage": count_usage(found, team=team, now=timezone.now()) if team else None,
        }
        for name, value in shown.items():
            setattr(found, name, value)
        return Response(PhaseDetailSerializer(found).data)


class Leaderboard(PublicView):
    """The leaderboard of a phase."""

    @describe(
        "Show the leaderboard of a phase\nWhere the phase shows the results of all teams; 404 otherwise.",
        answer=LeaderboardSerializer,
        parameters=[_ORDER],
    )
    def get(self, request: Request, slug: str, phase: str) -> Response:
        found, board, order = _fetch_board(request, slug, phase)
        team = find_own_team(request, found.challenge)
        own = set(Submission.objects.filter(phase=found, team=team).values_list("pk", flat=True)) if team else set()
        teams = find_teams(found, board, own=team, user=find_viewer(request))
        context = make_board_context(board, own=own, teams=teams)
        shown = LeaderboardSerializer(describe_board(found, board, order), context=context)
        return Response(shown.data)


class LeaderboardFile(PublicView):
    """The leaderboard of a phase as a file."""

    @describe(
        "Download the leaderboard\nAs CSV or as a LaTeX table.",
        answer={(200, content): str for content in ("text/csv", "text/x-tex")},
        parameters=[_FORMAT, _ORDER],
    )
    def get(self, request: Request, slug: str, phase: str, file_format: str) -> StreamingHttpResponse:
        found, board, _ = _fetch_board(request, slug, phase)
        if file_format not in FORMATS:
            raise NotFound(f"The leaderboard is available as {' or '.join(FORMATS)}, not as {file_format}.")
        return send_lines(
            FORMATS[file_format](board, found.decimals), file_name=f"{slug}-{phase}-leaderboard.{file_format}"
        )


class TeamHistory(PublicView):
    """The scores of a team over time."""

    @describe(
        "Show the scores of a team over time\nOf one's own team, and of all where the leaderboard shows names.",
        answer=HistorySerializer,
    )
    def get(self, request: Request, slug: str, phase: str, team: int) -> Response:
        found, viewer = fetch_phase(request, slug, phase), find_viewer(request)
        of, own = found.challenge.teams.filter(pk=team).first(), find_own_team(request, found.challenge)
        if of is None or not may_see_history(found, team=of, own=own, user=viewer, now=timezone.now()):
            raise NotFound("There is no such team, or its scores are not shown.")
        is_inside = own == of or viewer.has_perm(HOST_CHALLENGE, found.challenge)
        history = load_history(found, team=of, with_left_out=is_inside)
        shown = {"phase": found.slug, "team": of.name, "columns": history.columns, "submissions": history.past}
        return Response(HistorySerializer(shown, context={"is_inside": is_inside}).data)


def _fetch_board(request: Request, slug: str, phase: str) -> tuple[Phase, Board, Column | None]:
    found, viewer = fetch_phase(request, slug, phase), find_viewer(request)
    if not may_see_board(found, user=viewer, now=timezone.now()):
        raise NotFound("The leaderboard of this phase is not shown.")
    order = request.query_params.get("order", "")
    board, column = show_board(found, user=viewer, now=timezone.now(), order=order)
    if order and find_column(board, order=order) is None:
        raise ValidationError({"order": "There is no such column."})
    return found, board, column
