"""Computes the board of a phase from its scored submissions, in a fixed number of queries."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from challenges.enums import ChallengeState, EntryRule, ResultsVisibility, SubmissionState
from challenges.human.table import HumanTable
from challenges.models import Phase, PhaseIntervals, Submission, SubmissionScore, Team
from challenges.rules import HOST_CHALLENGE
from challenges.submissions.scoring import load_metrics

ANONYMOUS = "Anonymous"


@dataclass(frozen=True, slots=True)
class Column:
    """A metric with a set of references."""

    references: str
    metric: str
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class Bounds:
    """The rounded ends of an interval of a score."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of a team.

    Attributes:
        rank: From 1; equal values share one. None without a value, and for baselines.
        team: The name of the team; `ANONYMOUS` while names are not shown.
        submission: The primary key of the submission.
        at: When it was made.
        is_baseline: Whether the hosts added it for comparison.
        values: Rounded scores, in the order of the columns; None where undefined.
        intervals: In the order of the columns; None for values that have none. Empty where the phase shows none.
        clusters: Clusters of entries that do not differ significantly, 1 = best, in the order of the columns; None
            for values without an interval. Empty where there are none for exactly these entries.
    """

    rank: int | None
    team: str
    submission: int
    at: datetime
    is_baseline: bool
    values: tuple[float | None, ...]
    intervals: tuple[Bounds | None, ...] = ()
    clusters: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """Entries from the best to the worst by one column; those without a value are last.

    Attributes:
        columns: Metrics with sets of references.
        entries: The entries of teams, and baselines.
        intervals_at: When the intervals were computed; None where there are none.
        human: The shown results of human studies; None without any, and where they were not asked for.
    """

    columns: tuple[Column, ...]
    entries: tuple[Entry, ...]
    intervals_at: datetime | None = None
    human: HumanTable | None = None


def list_columns(phase: Phase) -> tuple[Column, ...]:
    """Return the columns in the order of the phase; the first one ranks.

    Raises:
        UnknownMetric: A metric is not installed any more.
    """
    metrics = [(each.metric, load_metrics().get(each.metric).info.higher_is_better) for each in phase.metrics.all()]
    return tuple(
        Column(references.name, metric, higher) for references in phase.references.all() for metric, higher in metrics
    )


def compute_board(phase: Phase, *, order_by: int = 0, shows_names: bool | None = None) -> Board:
    """Compute the board of a phase.

    Values are rounded as the phase says before they are compared, so that the board never tells more than it shows.

    Args:
        order_by: The number of the column that ranks; which submission is a team's entry depends on the first one only.
        shows_names: Whether teams have names; by default as the challenge shows them to everybody.
    """
    columns = list_columns(phase)
    names = phase.challenge.shows_names if shows_names is None else shows_names
    scored = Submission.objects.filter(
        phase=phase, state=SubmissionState.SCORED, is_hidden=False, disqualified_because=""
    )
    # By the date that is shown: an upload that was begun earlier may have been completed later.
    found = list(scored.select_related("team").defer("reason", "description").order_by("created_at", "pk"))
    values = list_values(phase, found, columns)
    chosen = _choose_entries(found, values, rule=EntryRule(phase.entry_rule), columns=columns)
    entries = [
        Entry(
            rank=None,
            team=each.team.name if names or each.is_baseline else ANONYMOUS,
            submission=each.pk,
            at=each.created_at,
            is_baseline=each.is_baseline,
            values=values[each.pk],
        )
        for each in chosen
    ]
    board = Board(columns=columns, entries=_rank(entries, columns=columns, order_by=order_by))
    return _add_intervals(board, phase) if phase.shows_intervals else board


def reorder_board(board: Board, *, order_by: int) -> Board:
    """Return a board that is ranked by another column; the entries of teams stay the same."""
    return replace(board, entries=_rank(board.entries, columns=board.columns, order_by=order_by))


def may_see_board(phase: Phase, *, user: Any, now: datetime) -> bool:
    """Return whether a person may see the results of all teams."""
    if user.has_perm(HOST_CHALLENGE, phase.challenge):
        return True
    if phase.challenge.state == ChallengeState.DRAFT:
        return False
    shown = ResultsVisibility(phase.visibility)
    return shown is ResultsVisibility.ALL or (shown is ResultsVisibility.AFTER_END and now >= phase.closes_at)


def list_values(
    phase: Phase, submissions: Sequence[Submission], columns: Sequence[Column], *, team: Team | None = None
) -> dict[int, tuple[float | None, ...]]:
    """Return the rounded values of submissions to a phase, all of the team if one is given.

    Scores of images, which are large, are not read.
    """
    known: dict[int, dict[tuple[str, str], float]] = {each.pk: {} for each in submissions}
    of = {"submission__phase": phase} | ({"submission__team": team} if team else {})
    scores = SubmissionScore.objects.filter(**of, value__isnull=False).order_by()
    for pk, references, metric, value in scores.values_list("submission_id", "references", "metric", "value"):
        if pk in known:
            known[pk][references, metric] = round(value, phase.decimals)
    keys = [(each.references, each.metric) for each in columns]
    return {pk: tuple(own.get(key) for key in keys) for pk, own in known.items()}


def _add_intervals(board: Board, phase: Phase) -> Board:
    """Return the board with the stored intervals of values that are the same, and clusters if all of them are."""
    stored = PhaseIntervals.objects.filter(phase=phase).first()
    if stored is None or stored.record["columns"] != [[each.references, each.metric] for each in board.columns]:
        return board
    known = stored.record["entries"]
    same = {each.submission for each in board.entries if _is_same(each, known.get(str(each.submission)))}
    is_whole = len(same) == len(known) == len(board.entries)
    entries = [
        replace(
            each,
            intervals=tuple(ends and Bounds(*ends) for ends in known[str(each.submission)]["intervals"]),
            clusters=tuple(known[str(each.submission)]["clusters"]) if is_whole else (),
        )
        if each.submission in same
        else each
        for each in board.entries
    ]
    return replace(board, entries=tuple(entries), intervals_at=stored.computed_at)


def _is_same(entry: Entry, known: Mapping[str, Any] | None) -> bool:
    return known is not None and known["values"] == list(entry.values)


def _choose_entries(
    submissions: Iterable[Submission],
    values: Mapping[int, tuple[float | None, ...]],
    *,
    rule: EntryRule,
    columns: Sequence[Column],
) -> list[Submission]:
    """Return one submission of each team, and all baselines; of equally good ones the first."""
    chosen: dict[int, Submission] = {}
    baselines = []
    for each in submissions:
        if each.is_baseline:
            baselines.append(each)
            continue
        other = chosen.get(each.team_id)
        if (
            other is None
            or rule is EntryRule.LATEST
            or _sort_key(values[each.pk], columns) < _sort_key(values[other.pk], columns)
        ):
            chosen[each.team_id] = each
    return [*chosen.values(), *baselines]


def _sort_key(values: Sequence[float | None], columns: Sequence[Column], order_by: int = 0) -> tuple[bool, float]:
    """Return a key that is smaller for a better value, and largest for none."""
    value = values[order_by] if columns else None
    if value is None:
        return True, 0.0
    return False, -value if columns[order_by].higher_is_better else value


def _rank(entries: Sequence[Entry], *, columns: Sequence[Column], order_by: int) -> tuple[Entry, ...]:
    keys = {each.submission: _sort_key(each.values, columns, order_by) for each in entries}
    competing = sorted(keys[each.submission] for each in entries if not each.is_baseline)
    ranks = {key: 1 + bisect_left(competing, key) for key in set(competing)}
    ordered = sorted(entries, key=lambda each: (keys[each.submission], each.submission))
    return tuple(
        replace(each, rank=None if each.is_baseline or keys[each.submission][0] else ranks[keys[each.submission]])
        for each in ordered
    )
