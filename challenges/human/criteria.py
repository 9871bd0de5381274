"""What people are asked about the entries of a phase: the criteria of COCO's challenge, and choices between entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from challenges.enums import HumanCriterion
from studies.design.presets import PRESETS
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question, and what its column on the leaderboard means.

    Attributes:
        name: Its name in columns, the category of its items, and its name in `coco-2015@1`.
        title: The meaning of the number.
        preset: The design with the question.
        is_share: Whether the number is a share of judgments, 0 to 1; otherwise it is the mean of ratings.
        shows_people: Whether a human caption of every image is judged, as an opponent (M1) or as a caption whose author
            a rater should be able to name (M2).
    """

    name: HumanCriterion
    title: str
    preset: str
    is_share: bool = True
    shows_people: bool = False

    @property
    def kind(self) -> TaskKind:
        return PRESETS[self.preset].kind

    @property
    def design(self) -> StudyDesign:
        return PRESETS[self.preset].design


_ALL: Final = (
    Criterion(
        HumanCriterion.M1,
        "share of captions judged better than, or as good as, a human one",
        "coco-m1",
        shows_people=True,
    ),
    Criterion(HumanCriterion.M2, "share of captions taken for a person's", "coco-m2", shows_people=True),
    Criterion(HumanCriterion.M3, "mean correctness, 1 to 5", "coco-m3", is_share=False),
    Criterion(HumanCriterion.M4, "mean amount of detail, 1 to 5", "coco-m4", is_share=False),
    Criterion(HumanCriterion.M5, "share of captions similar to how a person would describe the image", "coco-m5"),
    Criterion(HumanCriterion.WINS, "share of comparisons with other entries won, a tie as half", "coco-m1"),
)
CRITERIA: Final[Mapping[str, Criterion]] = MappingProxyType({each.name.value: each for each in _ALL})
"""All criteria by name."""
