"""The entries of a phase for caption sets by accuracy and diversity, after Figure 5 of Wang et al.

References
----------
.. [1] Q. Wang, J. Wan, A. B. Chan (2020). On Diversity in Image Captioning: Metrics and Methods. TPAMI.
"""

from dataclasses import dataclass
from typing import Final

from challenges.board.ranking import ANONYMOUS, Board, Column, Entry
from challenges.models import Phase
from challenges.submissions.scoring import load_metrics
from correlation.figures.labelled import LabelledPoint
from metrics_plugins.api import Input
from studies.shared.text import cut_text

ENTRIES: Final = "entries"
BASELINES: Final = "baselines"
MOST_LABELS: Final = 30
_LONGEST_LABEL: Final = 24
_SET_ACCURACY: Final = ("set-cider", "wmd-set")
"""Metrics of sets that compare them with references."""
_BOTH: Final = ("f-beta",)


@dataclass(frozen=True, slots=True)
class Axes:
    """The columns of a board that measure accuracy, and those that measure diversity; at least one of each."""

    accuracy: tuple[Column, ...]
    diversity: tuple[Column, ...]


def find_axes(phase: Phase, board: Board) -> Axes | None:
    """Return the axes of a phase for caption sets; None for others, and without a metric of both kinds."""
    if phase.captions_per_image == 1:
        return None
    accuracy = tuple(each for each in board.columns if _is_accuracy(each.metric))
    diversity = tuple(each for each in board.columns if _is_diversity(each.metric))
    return Axes(accuracy, diversity) if accuracy and diversity else None


def place_entries(board: Board, *, accuracy: Column, diversity: Column) -> list[LabelledPoint]:
    """Return a point for each entry with both values, as rounded on the board.

    Entries without a name have their rank as label; with more than `MOST_LABELS` points none has a label.
    """
    x, y = board.columns.index(diversity), board.columns.index(accuracy)
    placed = [
        (each, across, up)
        for each in board.entries
        if (across := each.values[x]) is not None and (up := each.values[y]) is not None
    ]
    has_labels = len(placed) <= MOST_LABELS
    return [
        LabelledPoint(
            label=_label(each) if has_labels else "", series=BASELINES if each.is_baseline else ENTRIES, x=across, y=up
        )
        for each, across, up in placed
    ]


def title_axis(column: Column, *, kind: str) -> str:
    """Return the title of an axis, such as `diversity: self-cider-d with c5`."""
    lower = "" if column.higher_is_better else ", lower is better"
    return f"{kind}: {column.metric} with {column.references}{lower}"


def _label(entry: Entry) -> str:
    if entry.team == ANONYMOUS and not entry.is_baseline:
        return "" if entry.rank is None else f"rank {entry.rank}"
    return cut_text(entry.team, longest=_LONGEST_LABEL)


def _is_accuracy(metric: str) -> bool:
    inputs = load_metrics().get(metric).info.inputs
    return {Input.CANDIDATE, Input.REFERENCES} <= inputs or metric in _SET_ACCURACY


def _is_diversity(metric: str) -> bool:
    inputs = load_metrics().get(metric).info.inputs
    return Input.CAPTION_SET in inputs and metric not in (*_SET_ACCURACY, *_BOTH)
