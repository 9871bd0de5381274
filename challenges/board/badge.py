"""The badge of a team's place on a board that everybody sees: rank and score by the column that ranks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser

from challenges.board.freezing import load_board
from challenges.board.history import map_teams
from challenges.board.ranking import Column, may_see_board
from challenges.models import Phase, Team
from jobs.results import find_result, make_result
from studies.shared.text import cut_text
from studies.templatetags.numbers import decimals

KEPT: Final = timedelta(minutes=1)
"""How long places are kept, since a badge that many pages show is asked for often."""
_TIMES: Final = 20
_LONGEST: Final = 48
_LETTER, _MARGIN = 6.6, 7


@dataclass(frozen=True, slots=True)
class Place:
    """The best place of a team's entries; a rank of None is that of a baseline or of a score that is undefined."""

    rank: int | None
    value: float | None
    is_baseline: bool


@dataclass(frozen=True, slots=True)
class Badge:
    """Two texts side by side: the phase, and the place in it. Widths are in pixels."""

    phase: str
    place: str

    @property
    def left_text(self) -> int:
        return _measure(self.phase)

    @property
    def right_text(self) -> int:
        return _measure(self.place)

    @property
    def left(self) -> int:
        return self.left_text + 2 * _MARGIN

    @property
    def right(self) -> int:
        return self.right_text + 2 * _MARGIN

    @property
    def width(self) -> int:
        return self.left + self.right

    @property
    def left_start(self) -> int:
        return _MARGIN

    @property
    def right_start(self) -> int:
        return self.left + _MARGIN


def find_badge(phase: Phase, *, team: Team, now: datetime) -> Badge | None:
    """Return the badge of a team; None if it has no entry, or not everybody sees the board with names of teams.

    What is shown does not depend on who asks, so that it may be stored between.
    """
    if not phase.challenge.shows_names or not may_see_board(phase, user=AnonymousUser(), now=now):
        return None
    name = f"badge:{phase.pk}"
    kept = find_result(name)
    if kept is not None and kept.is_young(now, factor=_TIMES, least=KEPT):
        column, places = kept.value
    else:
        column, places = make_result(name, lambda: _list_places(phase), now=now)
    place = places.get(team.pk)
    if place is None:
        return None
    return Badge(
        phase=cut_text(f"{phase.challenge.title}, {phase.title}", longest=_LONGEST),
        place=_describe(place, column, phase.decimals),
    )


def _list_places(phase: Phase) -> tuple[Column | None, Mapping[int, Place]]:
    board = load_board(phase)
    teams = map_teams(board)
    places: dict[int, Place] = {}
    for each in board.entries:
        if each.submission in teams:
            # The board is sorted from the best to the worst.
            place = Place(each.rank, each.values[0] if each.values else None, each.is_baseline)
            places.setdefault(teams[each.submission], place)
    return (board.columns[0] if board.columns else None), places


def _describe(place: Place, column: Column | None, places: int) -> str:
    if column is None or place.value is None:
        return "no score"
    rank = "baseline" if place.rank is None else f"#{place.rank}"
    return f"{rank} · {column.metric} ({column.references}) {decimals(place.value, places)}"


def _measure(text: str) -> int:
    return round(_LETTER * len(text))
