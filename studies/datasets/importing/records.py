"""A published data set as plain values, which every format is read into and the database is written from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from studies.design.study_design import StudyDesign
from studies.enums import TaskKind

T = TypeVar("T")

SHIPPED: Final = "shipped"
"""The name of the reference set that comes with the data, which the reference rule `set` takes."""


class TrackSteps(Protocol):
    """Yields steps one by one and shows the progress: `tqdm` bound to a stream, or `pass_on`."""

    def __call__(self, steps: Sequence[T], *, label: str) -> Iterable[T]: ...


def pass_on(steps: Sequence[T], *, label: str) -> Iterable[T]:  # noqa: ARG001
    """Return the steps without showing progress."""
    return steps


@dataclass(frozen=True, slots=True)
class SystemRecord:
    """A system: an author of candidates."""

    name: str
    is_human: bool = False


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """One caption to be judged or scored; the image is given by key, the system by name."""

    key: str
    image: str
    system: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgmentRecord:
    """One judgment of an item; the rater is given by pseudonym."""

    rater: str
    value: float
    answer: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item with its judgments; candidates are given by key, the anchor by position among the image's references."""

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
        are_placeholders: Whether raters are no persons, but positions in the published data or computed judges.
        rows_read: The number of records of judgments (without judgments: of candidates) in the source.
        is_computed: Whether the judgments are computed.
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
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceSetRecord:
    """A choice of references for each candidate, or one part of it.

    Attributes:
        choices: By candidate key the alternatives, each the positions among the references of the candidate's image;
            the candidate's score is the mean over the alternatives.
    """

    name: str
    choices: Mapping[str, Sequence[Sequence[int]]]
    part: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """Scores that somebody else computed: by candidate key, of one metric; `source` is the file."""

    metric: str
    values: Mapping[str, float]
    source: str
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class WorldRecord:
    """An image whose scene is known: the record of `world_model.json`, and the file of the image."""

    world: Mapping[str, Any]
    picture: bytes


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """Everything that one import writes.

    Attributes:
        references: The references of each image, by image key; () for an image without references.
        left_out: Files that were found but not read, each with the reason.
        notes: What a person who imports should know of the data, each a line.
        worlds: The worlds of the images, by image key; of all images or of none.
        world_profile: The rules by which captions are true of the worlds.
    """

    name: str
    title: str
    source: str
    digest: str
    references: Mapping[str, Sequence[str]]
    systems: Sequence[SystemRecord]
    candidates: Sequence[CandidateRecord]
    studies: Sequence[StudyRecord]
    reference_sets: Sequence[ReferenceSetRecord] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scores: Sequence[ScoreRecord] = ()
    worlds: Mapping[str, WorldRecord] = field(default_factory=dict)
    world_profile: str = ""


def name_votes(number: int) -> tuple[str, ...]:
    """Return the pseudonyms of placeholder raters: `vote-1` to `vote-N`."""
    return tuple(f"vote-{position}" for position in range(1, number + 1))
