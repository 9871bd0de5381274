"""A published data set as plain values: what every format is read into, and all that is written from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from studies.design.design import StudyDesign
from studies.enums import TaskKind

T = TypeVar("T")


class TrackSteps(Protocol):
    """Passes steps on one by one, and shows how far it is; `tqdm` bound to a stream, or `pass_on`."""

    def __call__(self, steps: Sequence[T], *, label: str) -> Iterable[T]: ...


def pass_on(steps: Sequence[T], *, label: str) -> Iterable[T]:  # noqa: ARG001
    """Track nothing."""
    return steps


@dataclass(frozen=True, slots=True)
class SystemRecord:
    """Who wrote candidates."""

    name: str
    is_human: bool = False


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """One caption to be judged or scored; image and system by key and name."""

    key: str
    image: str
    system: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgmentRecord:
    """One answer on one item; the rater by pseudonym."""

    rater: str
    value: float
    answer: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item, with its judgments; candidates by key, the anchor by its position among the image's references."""

    key: str
    image: str
    candidate: str
    other_candidate: str | None = None
    category: str = ""
    judgments: tuple[JudgmentRecord, ...] = ()
    anchor: int | None = None


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """A closed study.

    Attributes:
        raters: Pseudonyms, in order.
        are_placeholders: Whether raters stand for positions in the published data, not for persons.
        rows_read: How many records of judgments (without judgments: of candidates) the source has.
    """

    name: str
    title: str
    kind: TaskKind
    protocol: str
    design: StudyDesign
    raters: tuple[str, ...]
    are_placeholders: bool
    items: Sequence[ItemRecord]
    rows_read: int


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """Everything that one import writes.

    Attributes:
        references: The references of each image, by image key; an image without any has ().
        reference_sets: By name: for each candidate key the positions among its image's references.
        left_out: Files that were there and not read, each with the reason.
    """

    name: str
    title: str
    source: str
    digest: str
    references: Mapping[str, Sequence[str]]
    systems: Sequence[SystemRecord]
    candidates: Sequence[CandidateRecord]
    studies: Sequence[StudyRecord]
    reference_sets: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def name_votes(number: int) -> tuple[str, ...]:
    """Return the pseudonyms of placeholder raters: `vote-1` to `vote-N`."""
    return tuple(f"vote-{position}" for position in range(1, number + 1))
