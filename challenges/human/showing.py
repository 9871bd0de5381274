"""Shows results of human studies: by decision of the hosts, and as a table with the leaderboard."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from challenges.board.ranking import ANONYMOUS, Board
from challenges.enums import ChallengeAction
from challenges.errors import ChallengeRefused
from challenges.hosting.events import record_event
from challenges.human.columns import HumanCell, HumanColumn, list_shown, load_human_column
from challenges.models import HumanStudy, Phase, Submission
from studies.access.audit import Actor

Cells = tuple[tuple[HumanColumn, HumanCell | None], ...]
"""The columns in order, each with the cell of a row."""


@dataclass(frozen=True, slots=True)
class HumanRow:
    """A judged submission.

    Attributes:
        team: The name of its team; `ANONYMOUS` while names are not shown.
        submission: Its primary key.
        is_entry: Whether it is on the board; otherwise its team has another entry by now.
        cells: Each column with the cell; None where it was not judged.
    """

    team: str
    submission: int
    is_entry: bool
    cells: Cells


@dataclass(frozen=True, slots=True)
class HumanTable:
    """Columns, the rows in the order of the board, and the cells of human captions, None without any."""

    columns: tuple[HumanColumn, ...]
    rows: tuple[HumanRow, ...]
    people: Cells | None


@transaction.atomic
def show_human_results(human: HumanStudy, *, actor: Actor, now: datetime) -> None:
    """Show the results of a study that is not closed, as they are at the time when a person looks.

    Raises:
        ChallengeRefused: They are shown already.
    """
    locked = HumanStudy.objects.select_for_update().select_related("study", "phase__challenge").get(pk=human.pk)
    if locked.is_shown:
        raise ChallengeRefused("the results are shown already")
    locked.shown_at = now
    locked.save(update_fields=["shown_at"])
    details = {"phase": locked.phase.slug, "criterion": locked.criterion, "study": locked.study.name}
    action = ChallengeAction.HUMAN_RESULTS_SHOWN
    record_event(locked.phase.challenge, actor=actor, action=action, now=now, details=details)


def tabulate_human_results(phase: Phase, *, board: Board, shows_names: bool) -> HumanTable | None:
    """Return the shown results of a phase; None without any.

    Submissions that were disqualified, or left out of the board by their team, have no row.

    Args:
        phase: The phase.
        board: Its board, for the order.
        shows_names: Whether teams have names.
    """
    columns = tuple(load_human_column(each) for each in list_shown(phase))
    if not columns:
        return None
    order = {each.submission: number for number, each in enumerate(board.entries)}
    judged = {pk for column in columns for pk in column.cells}
    found = Submission.objects.filter(pk__in=judged, disqualified_because="", is_hidden=False).select_related("team")
    rows = [
        HumanRow(
            team=each.team.name if shows_names or each.is_baseline else ANONYMOUS,
            submission=each.pk,
            is_entry=each.pk in order,
            cells=tuple((column, column.cells.get(each.pk)) for column in columns),
        )
        for each in sorted(found, key=lambda each: (order.get(each.pk, len(order)), each.pk))
    ]
    people = tuple((column, column.people) for column in columns)
    return HumanTable(columns, tuple(rows), people if any(cell for _, cell in people) else None)
