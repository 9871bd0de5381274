"""Shows results of human studies: by decision of the hosts, and as a table with the leaderboard."""

from collections.abc import Container
from datetime import datetime

from django.db import transaction

from challenges.board.ranking import ANONYMOUS, Board
from challenges.enums import ChallengeAction
from challenges.errors import ChallengeRefused
from challenges.hosting.events import record_event
from challenges.human.columns import list_shown
from challenges.human.criteria import CRITERIA
from challenges.human.results import find_human_column
from challenges.human.table import HumanHead, HumanRow, HumanTable, sort_rows
from challenges.models import HumanStudy, Phase, Submission
from studies.access.audit import Actor
from studies.enums import StudyState


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


def tabulate_human_results(
    phase: Phase,
    *,
    board: Board,
    shows_names: bool,
    now: datetime,
    but: Container[str] = (),
    wait: bool = False,
    only_final: bool = False,
) -> HumanTable | None:
    """Return the shown results of a phase; None without any.

    Submissions that were disqualified, or left out of the board by their team, have no row.

    Args:
        board: The phase's board, for the order.
        shows_names: Whether teams have names.
        but: Criteria to leave out.
        wait: Whether to compute columns here, however long it takes.
        only_final: Whether to leave out results of studies that are not closed.
    """
    asked = [each for each in list_shown(phase) if each.criterion not in but]
    if only_final:
        asked = [each for each in asked if each.study.state == StudyState.CLOSED]
    found = [(each, find_human_column(each, now=now, wait=wait).made) for each in asked]
    columns = [(human, column) for human, column in found if column is not None]
    if not found:
        return None
    on_board = {each.submission for each in board.entries}
    judged = {pk for _, column in columns for pk in column.cells}
    submissions = Submission.objects.filter(pk__in=judged, disqualified_because="", is_hidden=False)
    table = HumanTable(
        columns=tuple(
            HumanHead(
                criterion=human.criterion,
                title=CRITERIA[human.criterion].title,
                n_images=len(human.images),
                is_final=human.study.state == StudyState.CLOSED,
                at=column.at,
            )
            for human, column in columns
        ),
        rows=tuple(
            HumanRow(
                team=each.team.name if shows_names or each.is_baseline else ANONYMOUS,
                submission=each.pk,
                is_entry=each.pk in on_board,
                cells=tuple(column.cells.get(each.pk) for _, column in columns),
            )
            for each in submissions.select_related("team")
        ),
        people=tuple(column.people for _, column in columns),
        pending=tuple(human.criterion for human, column in found if column is None),
    )
    return sort_rows(table, [each.submission for each in board.entries])
