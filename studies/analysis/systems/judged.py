"""The judgments of a study by system: means of ratings, or choices between systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from correlation.ranking.rank import expand_best_worst, rank_by_choices, rank_by_means
from correlation.ranking.values import RankingRequest, SystemRanking
from studies.collection.judgments import StudyJudgments
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.models import Candidate, Item, Study

_BOUNDS: Final = {TaskKind.TURING: (0.0, 1.0), TaskKind.SET_RATING: (0.0, 1.0), TaskKind.BEST_WORST: (-1.0, 1.0)}
_Names = npt.NDArray[np.str_]
_Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """One row per judgment, all of shape (n,)."""

    criterion: str | None
    system: _Names
    image: _Names
    rater: _Names
    value: _Values
    knows_raters: bool


def rank_judgments(
    study: Study, judgments: StudyJudgments, *, criterion: str | None, request: RankingRequest
) -> tuple[tuple[SystemRanking, ...], int]:
    """Return the rankings of one criterion, the main one first, and the number of comparisons left out.

    Args:
        judgments: The study's judgments that count.
        criterion: The criterion to rank by; None for all judgments.
        request: How intervals and tests are computed.
    """
    table = judgments.table
    if criterion is not None and table.criterion is not None:
        table = table.keep(table.criterion == criterion)
    item = table.item
    systems = table.system if table.system is not None else np.full(len(table.items), "")
    rows = _Rows(criterion, systems[item], table.image[item], table.rater, table.value, not judgments.has_placeholders)
    if study.kind == TaskKind.PAIRWISE:
        others = _find_systems(study, judgments.scored[:, 1])[item]
        return _rank_choices(rows, others, np.sign(rows.value), request)
    means = rank_by_means(
        rows.system,
        rows.value,
        image=rows.image,
        rater=rows.rater,
        knows_raters=rows.knows_raters,
        criterion=criterion,
        bounds=_find_bounds(study),
        request=request,
    )
    if study.kind != TaskKind.BEST_WORST:
        return (means,), 0
    tasks = _find_tasks(study, table.items)[item]
    preferred, other = expand_best_worst(tasks, rows.rater, rows.system, rows.value)
    implied = _Rows(
        criterion,
        rows.system[preferred],
        rows.image[preferred],
        rows.rater[preferred],
        rows.value[preferred],
        rows.knows_raters,
    )
    strengths, _ = _rank_choices(implied, rows.system[other], np.ones(len(preferred)), request)
    return (means, strengths[0]), 0


def _rank_choices(
    rows: _Rows, others: _Names, choices: _Values, request: RankingRequest
) -> tuple[tuple[SystemRanking, ...], int]:
    used = rows.system != others
    rankings = rank_by_choices(
        rows.system[used],
        others[used],
        choices[used],
        image=rows.image[used],
        rater=rows.rater[used],
        knows_raters=rows.knows_raters,
        criterion=rows.criterion,
        request=request,
    )
    return rankings, int((~used).sum())


def _find_systems(study: Study, candidates: Sequence[int] | npt.NDArray[np.int64]) -> _Names:
    """Return the name of each candidate's system."""
    names = dict(Candidate.objects.filter(dataset=study.dataset_id).order_by().values_list("pk", "system__name"))
    return np.asarray([names[int(pk)] for pk in candidates], dtype=np.str_)


def _find_tasks(study: Study, items: _Names) -> _Names:
    """Return the task of each item, as a key."""
    tasks = dict(Item.objects.filter(task__study=study).order_by().values_list("pk", "task_id"))
    return np.asarray([str(tasks[int(pk)]) for pk in items], dtype=np.str_)


def _find_bounds(study: Study) -> tuple[float, float] | None:
    """Return the least and the greatest value that a judgment can have; None if it is not known."""
    if study.kind in _BOUNDS:
        return _BOUNDS[TaskKind(study.kind)]
    version = study.versions.order_by("-number").first()
    design = StudyDesign.from_json(version.design) if version else None
    if design is None or not (design.scale or design.slider):
        return None
    return (design.scale[0].value, design.scale[-1].value) if design.scale else (design.slider.low, design.slider.high)
