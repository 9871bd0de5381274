"""The scores of a team in a phase over time, and who may see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

from challenges.board.freezing import load_board
from challenges.board.ranking import Board, Column, list_columns, list_values, may_see_board
from challenges.enums import SubmissionState
from challenges.models import Phase, Submission, Team
from challenges.rules import HOST_CHALLENGE
from correlation.figures.timeline import TimedPoint


class Standing(StrEnum):
    """What a scored submission is for the board."""

    ENTRY = "on the leaderboard"
    OTHER = "not on the leaderboard"
    LEFT_OUT = "left out"


STANDINGS: Final = tuple(each.value for each in Standing)


@dataclass(frozen=True, slots=True)
class Past:
    """A scored submission.

    Attributes:
        submission: It, with its team and phase.
        values: Its rounded scores, in the order of the columns; None where undefined.
        standing: Left out are submissions that the team hides or that the hosts disqualified.
    """

    submission: Submission
    values: tuple[float | None, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class History:
    """The scored submissions of a team in a phase, from the first to the last."""

    columns: tuple[Column, ...]
    past: tuple[Past, ...]


def may_see_history(phase: Phase, *, team: Team, own: Team | None, user: Any, now: datetime) -> bool:
    """Return whether a person may see the scores of all submissions of a team.

    Their own team's they always see, as they see those of each submission. Those of others they see where they see the
    leaderboard with the names of teams.

    Args:
        phase: A phase of a challenge that the person may see.
        team: A team of the challenge.
        own: The team of the person.
        user: Whose permissions count.
    """
    if own is not None and own.pk == team.pk:
        return True
    return may_see_board(phase, user=user, now=now) and _sees_names(phase, user=user)


def load_history(phase: Phase, *, team: Team, with_left_out: bool) -> History:
    """Return the scored submissions of a team.

    Args:
        with_left_out: Whether to return those that were left out of the board, which only the team and hosts see.
    """
    scored = Submission.objects.filter(phase=phase, team=team, state=SubmissionState.SCORED)
    if not with_left_out:
        scored = scored.filter(is_hidden=False, disqualified_because="")
    found = list(scored.defer("reason").order_by("created_at", "pk"))
    columns = list_columns(phase)
    values = list_values(phase, found, columns, team=team)
    entries = {each.submission for each in load_board(phase).entries}
    return History(columns, tuple(Past(each, values[each.pk], _find_standing(each, entries)) for each in found))


def list_points(history: History, *, number: int, time_zone: str) -> list[TimedPoint]:
    """Return the defined values of a column, with times of a time zone."""
    zone = ZoneInfo(time_zone)
    return [
        TimedPoint(each.submission.created_at.astimezone(zone), value, each.standing.value)
        for each in history.past
        if (value := each.values[number]) is not None
    ]


def find_teams(phase: Phase, board: Board, *, own: Team | None, user: Any) -> Mapping[int, int]:
    """Return submission -> team of the entries of a board that the person sees, where they may see the history."""
    teams = map_teams(board)
    if _sees_names(phase, user=user):
        return teams
    return {submission: team for submission, team in teams.items() if own and team == own.pk}


def map_teams(board: Board) -> dict[int, int]:
    """Return submission -> team of the entries of a board."""
    found = Submission.objects.filter(pk__in=[each.submission for each in board.entries])
    return dict(found.values_list("pk", "team_id"))


def _sees_names(phase: Phase, *, user: Any) -> bool:
    return phase.challenge.shows_names or bool(user.has_perm(HOST_CHALLENGE, phase.challenge))


def _find_standing(submission: Submission, entries: set[int]) -> Standing:
    if submission.is_hidden or submission.disqualified_because:
        return Standing.LEFT_OUT
    return Standing.ENTRY if submission.pk in entries else Standing.OTHER
