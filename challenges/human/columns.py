"""The results of human studies by entry, as columns of a leaderboard."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isfinite

import numpy as np
import numpy.typing as npt
from django.db.models import Q

from challenges.human.criteria import CRITERIA, Criterion
from challenges.human.samples import PEOPLE
from challenges.models import HumanStudy, Phase
from correlation.agreement.preference import fit_preferences
from correlation.agreement.shares import estimate_share
from studies.enums import StudyState, TaskKind
from studies.shared.counted import select_counted

_Numbers = npt.NDArray[np.float64]
_Names = npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class HumanCell:
    """The judgments of one entry.

    Attributes:
        value: The share or mean, in the bounds of the criterion.
        low, high: The 95 % interval of a share, with judgments of a rater as a cluster; None for means of ratings.
        n: The number of judgments.
        n_raters: The number of raters.
        strength: For choices between entries, the log strength by the Bradley-Terry model (the mean over entries is
            0); None if undefined or for other criteria.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    n_raters: int
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class HumanColumn:
    """One column.

    Attributes:
        criterion: The criterion.
        cells: By primary key of the submission; an entry without judgments has none.
        people: The same for human captions, where they are judged by themselves (M2); None otherwise.
        at: When it was computed.
    """

    criterion: Criterion
    cells: Mapping[int, HumanCell]
    people: HumanCell | None
    at: datetime


def list_shown(phase: Phase) -> list[HumanStudy]:
    """Return the human studies whose results are shown, the newest of each criterion: closed, or shown by the hosts."""
    is_shown = Q(study__state=StudyState.CLOSED) | Q(shown_at__isnull=False)
    found = phase.human_studies.filter(is_shown).select_related("study").prefetch_related("entries")
    newest: dict[str, HumanStudy] = {}
    for each in found.order_by("pk"):
        newest[each.criterion] = each
    return [newest[name] for name in CRITERIA if name in newest]


def load_human_column(human: HumanStudy, *, now: datetime) -> HumanColumn:
    """Compute the column of a human study from its judgments that count; pages use `find_human_column`."""
    asked = CRITERIA[human.criterion]
    fields = ("item__candidate__system__name", "item__other_candidate__system__name", "rater__pseudonym", "value")
    rows = list(select_counted(human.study).filter(value__isnull=False).order_by("pk").values_list(*fields))
    columns = zip(*rows, strict=True) if rows else ((),) * len(fields)
    systems, others, raters, values = (np.asarray(column) for column in columns)
    numbers = values.astype(np.float64)
    if asked.kind == TaskKind.PAIRWISE and not asked.shows_people:
        cells = _count_wins(asked, systems, others, raters, numbers)
    else:
        # The caption of the entry is the first of the pair: no preference means as good as the human one.
        shares = (numbers >= 0).astype(np.float64) if asked.kind == TaskKind.PAIRWISE else numbers
        cells = _average(asked, systems, raters, shares)
    return HumanColumn(
        criterion=asked,
        cells={each.submission_id: cells[each.system] for each in human.entries.all() if each.system in cells},
        people=cells.get(PEOPLE),
        at=now,
    )


def _average(criterion: Criterion, systems: _Names, raters: _Names, values: _Numbers) -> dict[str, HumanCell]:
    cells = {}
    for name in sorted(set(systems.tolist())):
        own = systems == name
        n, n_raters = int(own.sum()), len(set(raters[own].tolist()))
        if criterion.is_share:
            share = estimate_share(values[own], cluster=raters[own])
            cells[name] = HumanCell(value=share.value, low=share.low, high=share.high, n=n, n_raters=n_raters)
        else:
            cells[name] = HumanCell(value=float(values[own].mean()), low=None, high=None, n=n, n_raters=n_raters)
    return cells


def _count_wins(
    criterion: Criterion, systems: _Names, others: _Names, raters: _Names, values: _Numbers
) -> dict[str, HumanCell]:
    if not len(values):
        return {}
    # Each choice counts for both entries.
    both = _average(
        criterion,
        np.concatenate([systems, others]),
        np.concatenate([raters, raters]),
        (1 + np.concatenate([values, -values])) / 2,
    )
    # `value` does not say which side was shown first, and sides are drawn for each rater.
    fitted = fit_preferences(systems, others, values, side=False)
    strengths = {each.option: each.value for each in fitted.strengths if isfinite(each.value)}
    return {
        name: HumanCell(cell.value, cell.low, cell.high, cell.n, cell.n_raters, strength=strengths.get(name))
        for name, cell in both.items()
    }
