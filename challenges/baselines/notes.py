"""What a leaderboard says of its baselines."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from challenges.board.ranking import Board
from challenges.enums import BaselineKind
from challenges.models import Baseline, Phase

_TEXTS: Final[Mapping[str, str]] = {
    BaselineKind.COMMON_CAPTION: "the most frequent caption of training images, the same for every image.",
    BaselineKind.NEAREST_NEIGHBOUR: "a caption of the training image with the most similar features.",
    BaselineKind.FILE: "captions that the hosts gave.",
}
_COMMON_CAPTIONS: Final = "the {n} most frequent captions of training images, the same for every image."
_NEIGHBOUR_CAPTIONS: Final = "{n} captions of the training images with the most similar features."
_HUMAN: Final = (
    "{n} of each image {are}. Its scores are computed with {fewer} for each image than those of other entries, which "
    "lowers most of them."
)


@dataclass(frozen=True, slots=True)
class BaselineNote:
    """The name of a baseline, where its captions come from, and what this means for its scores."""

    name: str
    kind: str
    text: str


def list_notes(board: Board, phase: Phase) -> list[BaselineNote]:
    """Return a note on each baseline of a board, in its order."""
    names = {each.submission: each.team for each in board.entries if each.is_baseline}
    kinds = dict(Baseline.objects.filter(submission__in=names).values_list("submission", "kind"))
    n = phase.captions_per_image
    return [BaselineNote(name, kinds[pk], describe_kind(kinds[pk], n=n)) for pk, name in names.items() if pk in kinds]


def describe_kind(kind: str, *, n: int) -> str:
    """Return where the captions of a kind of baseline come from, with `n` captions of each image."""
    if kind == BaselineKind.HUMAN:
        return _HUMAN.format(
            n="one reference" if n == 1 else f"{n} references",
            are="is its caption" if n == 1 else "are its captions",
            fewer="one reference fewer" if n == 1 else f"{n} references fewer",
        )
    if n > 1 and kind == BaselineKind.COMMON_CAPTION:
        return _COMMON_CAPTIONS.format(n=n)
    if n > 1 and kind == BaselineKind.NEAREST_NEIGHBOUR:
        return _NEIGHBOUR_CAPTIONS.format(n=n)
    return _TEXTS[kind]
