"""What raters hand in, what they get for it, and why something cannot be kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


class CannotSubmit(Exception):
    """Answers came that cannot be kept; the message tells the rater why."""


class SlotTaken(CannotSubmit):
    """The lease ran out, and other raters have all slots of the task by now."""


class StudyClosed(CannotSubmit):
    """The study takes no more judgments."""


class EnoughDone(CannotSubmit):
    """The answer came after its time, and the rater has done as many tasks as one rater may do."""


class RaterGone(CannotSubmit):
    """The rater left, withdrew or did not qualify."""


class CannotCorrect(CannotSubmit):
    """It is not the rater's last answer, or answers cannot be corrected in this study or stage."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One rater's answer on one item: `value` is what statistics use, `answer` the words of the task kind.

    A written caption has no value.
    """

    item: int
    value: float | None
    answer: Mapping[str, Any] = field(default_factory=dict)
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Acknowledgment:
    """That the judgments of an assignment are stored for good; the same however often it is asked for."""

    assignment: int
    submitted_at: datetime
