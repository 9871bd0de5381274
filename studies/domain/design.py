"""The design of a study as a value: what raters are told and asked, kept as JSON in a `StudyVersion`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """One choice on a labelled scale."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class StudyDesign:
    """What raters are told and asked.

    Attributes:
        instructions: Shown above each task, and whole before the first; paragraphs apart by blank lines.
        consent: What a rater agrees to before the first task; empty if the study takes no raters (imported data).
        question: The one sentence asked of every item.
        scale: The choices of a rating, from lowest to highest; empty for other kinds.
        allows_no_preference: Whether a pairwise choice may be left undecided.
        raters_per_task: How many places each task gets.
        lease_minutes: How long a rater may keep a task without submitting it.
        tasks_per_rater: The most tasks that one rater may do; 0 for no limit.
        thanks: Shown when a rater is done.
    """

    instructions: str = ""
    consent: str = ""
    question: str = ""
    scale: tuple[ScalePoint, ...] = field(default=())
    allows_no_preference: bool = False
    raters_per_task: int = 1
    lease_minutes: int = 30
    tasks_per_rater: int = 0
    thanks: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the design kept in `StudyVersion.design`."""
        scale = tuple(ScalePoint(**point) for point in data.get("scale", ()))
        return cls(**{**data, "scale": scale})
