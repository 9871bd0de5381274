"""The images and captions of a human study: the same images for all entries, and the rows that raters judge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from challenges.errors import ChallengeRefused
from challenges.human.criteria import Criterion
from studies.datasets.drafts.rows import COLUMNS, DraftRow, read_rows
from studies.datasets.importing.files.table_files import Record, Table
from studies.enums import TaskKind
from studies.shared.errors import SourceLocation

PEOPLE: Final = "human"
"""The system that wrote the human captions of a study."""
MOST_ROWS: Final = 20_000
_SOURCE: Final = "the human study"
_FEWEST_IN_A_CIRCLE: Final = 3


@dataclass(frozen=True, slots=True)
class HumanSample:
    """What is judged.

    Attributes:
        images: The keys of the images, in the order in which they were drawn.
        captions: For each entry the caption of each sampled image.
        people: A human caption of each sampled image; empty if none are judged.
    """

    images: tuple[str, ...]
    captions: Mapping[str, Mapping[str, str]]
    people: Mapping[str, str]


def draw_sample(
    entries: Mapping[str, Mapping[str, str]],
    references: Mapping[str, Sequence[str]],
    *,
    criterion: Criterion,
    n_images: int,
    rng: Random,
) -> HumanSample:
    """Draw images that have a human caption, and a caption with text of all entries.

    The images depend on the entries and the generator only, and so are the same for all criteria.

    Args:
        entries: For each entry, by the name of its system, the caption of each image.
        references: The human captions of each image that can be shown.
        criterion: What is asked.
        n_images: How many images to draw.
        rng: Draws images and human captions, in this order.

    Raises:
        ChallengeRefused: There are too few entries or images, or too many captions.
    """
    fewest = 2 if criterion.kind == TaskKind.PAIRWISE and not criterion.shows_people else 1
    if len(entries) < fewest:
        raise ChallengeRefused(f"choose {fewest} or more entries, got {len(entries)}")
    usable = sorted(
        image
        for image, texts in references.items()
        if texts and all(captions.get(image, "").strip() for captions in entries.values())
    )
    if not 1 <= n_images <= len(usable):
        raise ChallengeRefused(
            f"the number of images must be 1 to {len(usable):,}, which have a picture, a reference and a caption of "
            f"every entry; got {n_images:,}"
        )
    n_rows = n_images * (len(entries) + 1)
    if n_rows > MOST_ROWS:
        raise ChallengeRefused(f"at most {MOST_ROWS:,} captions can be judged, got {n_rows:,}: choose fewer images")
    images = tuple(rng.sample(usable, n_images))
    people = {image: rng.choice(references[image]) for image in images} if criterion.shows_people else {}
    captions = {name: {image: texts[image] for image in images} for name, texts in entries.items()}
    return HumanSample(images=images, captions=captions, people=people)


def make_rows(sample: HumanSample, *, criterion: Criterion, rng: Random) -> list[DraftRow]:
    """Return one row per judgment that a rater gives, in random order.

    M1 compares each entry with the human caption; choices between entries compare those of an image in a circle whose
    order is drawn for each image, so that each takes part in two comparisons and all are connected.

    Raises:
        ImportFailed: A caption or name is not allowed in a study.
    """
    records = [
        Record(SourceLocation(_SOURCE, " ".join(key)), {"image": image, "category": criterion.name.value, **values})
        for image in sample.images
        for key, values in _list_judged(sample, image, criterion=criterion, rng=rng)
    ]
    rng.shuffle(records)
    return read_rows(Table(_SOURCE, COLUMNS, records), kind=criterion.kind)


def _list_judged(
    sample: HumanSample, image: str, *, criterion: Criterion, rng: Random
) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    captions = {name: texts[image] for name, texts in sample.captions.items()}
    entries = list(captions)
    if criterion.shows_people:
        captions[PEOPLE] = sample.people[image]
    if criterion.kind != TaskKind.PAIRWISE:
        for name, text in captions.items():
            yield (image, name), {"system": name, "candidate": text}
        return
    pairs = [(name, PEOPLE) for name in entries] if criterion.shows_people else _draw_circle(entries, rng=rng)
    for one, other in pairs:
        yield (
            (image, one, other),
            {"system": one, "candidate": captions[one], "other_system": other, "other_candidate": captions[other]},
        )


def _draw_circle(names: list[str], *, rng: Random) -> list[tuple[str, str]]:
    rng.shuffle(names)
    circle = [*names, names[0]] if len(names) >= _FEWEST_IN_A_CIRCLE else names
    return list(pairwise(circle))
