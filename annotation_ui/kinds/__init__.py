"""The task kinds. One file a kind: its form, its templates, and how an answer becomes a judgment."""

from types import MappingProxyType
from typing import Final

from annotation_ui.kinds.base import TaskForm
from annotation_ui.kinds.pairwise import PairwiseForm
from annotation_ui.kinds.rating import RatingForm
from annotation_ui.kinds.set_rating import SetRatingForm
from studies.enums import TaskKind

KINDS: Final[MappingProxyType[str, type[TaskForm]]] = MappingProxyType(
    {
        TaskKind.PAIRWISE: PairwiseForm,
        TaskKind.RATING: RatingForm,
        TaskKind.SET_RATING: SetRatingForm,
    }
)
