"""Values of submissions: answers, acknowledgments and errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


class CannotSubmit(Exception):
    """The answers cannot be stored; the message tells the rater why."""


class SlotTaken(CannotSubmit):
    """The lease expired, and other raters hold all slots of the task."""


class StudyClosed(CannotSubmit):
    """The study does not accept judgments any more."""


class EnoughDone(CannotSubmit):
    """The answer is late, and the rater has done the maximum number of tasks."""


class RaterGone(CannotSubmit):
    """The rater left, withdrew or failed the qualification."""


class CannotCorrect(CannotSubmit):
    """It is not the rater's last answer, or answers cannot be corrected in this study or stage."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One rater's answer to one item: `value` is used by statistics, `answer` has the fields of the task kind.

    A written caption has no value.
    """

    item: int
    value: float | None
    answer: Mapping[str, Any] = field(default_factory=dict)
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Acknowledgment:
    """The confirmation that the judgments of an assignment are stored; the same for repeated submissions."""

    assignment: int
    submitted_at: datetime
