"""Facts about the items of a study besides judgments and scores: lengths of captions, objects in images."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from django.core.cache import cache

from correlation.errors import CorrelationInputError
from metrics_plugins.metrics.chair.categories import CATEGORIES
from metrics_plugins.metrics.chair.mentions import find_categories
from studies.enums import TaskRole
from studies.models import Item, Reference, Study

MOST_REFERENCES: Final = 250_000
"""The maximum number of references to search for objects in a request, at about 40,000 per second."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class ItemFacts:
    """Facts about the items of main tasks, in the order of `load_judgments`.

    Attributes:
        items: `(n_items,)` primary keys, ascending.
        words: `(n_items,)` the number of words in the rated caption, split at white space; -1 unless a single
            caption is rated.
        images: `(n_items,)` primary keys of the images.
    """

    items: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]
    images: npt.NDArray[np.int64]


def load_item_facts(study: Study) -> ItemFacts:
    """Load the facts about a study's items, in one query."""
    items = Item.objects.filter(task__study=study, task__role=TaskRole.MAIN).order_by("pk")
    rows = list(items.values_list("pk", "image_id", "candidate__text", "other_candidate_id"))
    return ItemFacts(
        items=np.asarray([pk for pk, *_ in rows], dtype=np.int64),
        words=np.asarray(
            [len(text.split()) if text is not None and other is None else -1 for _, _, text, other in rows],
            dtype=np.int64,
        ),
        images=np.asarray([image for _, image, *_ in rows], dtype=np.int64),
    )


def find_images(study: Study, thing: str, *, fingerprint: str) -> frozenset[int]:
    """Return the images of a study's dataset with a reference that mentions an object of this category.

    Raises:
        CorrelationInputError: There is no such category, or the dataset has too many references to search.
    """
    if thing not in CATEGORIES:
        raise CorrelationInputError(f"unknown object category {thing!r}, known are: {', '.join(CATEGORIES)}")
    found: dict[int, frozenset[int]] = cache.get_or_set(f"objects:{fingerprint}", lambda: _find_objects(study))
    return found[CATEGORIES.index(thing)]


def _find_objects(study: Study) -> dict[int, frozenset[int]]:
    """Return the images in which each category is mentioned."""
    judged = Item.objects.filter(task__study=study, task__role=TaskRole.MAIN).values("image")
    references = Reference.objects.filter(image__in=judged).order_by()
    n_references = references.count()
    if n_references > MOST_REFERENCES:
        raise CorrelationInputError(
            f"objects can be searched in at most {MOST_REFERENCES:,} references, "
            f"but dataset {study.dataset.name} has {n_references:,}"
        )
    rows = list(references.values_list("image_id", "text"))
    mentioned = find_categories([_WORD.findall(text.lower()) for _, text in rows], rules="corrected")
    images: dict[int, set[int]] = {number: set() for number in range(len(CATEGORIES))}
    for (image, _), categories in zip(rows, mentioned, strict=True):
        for category in categories:
            images[category].add(image)
    return {number: frozenset(found) for number, found in images.items()}
