"""Reference selection: a reference rule applied to the candidates of a dataset."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from correlation.protocols.named import ReferenceRule
from studies.models import Candidate, Dataset, Reference, ReferenceChoice, ReferenceSet
from studies.scoring.errors import ScoringFailed
from studies.shared.text import normalize_caption

Texts = tuple[str, ...]

DRAW_SEED: Final = 0
"""Seed of drawn references; they depend only on it, the number of the draw and the image key."""


@dataclass(frozen=True, slots=True)
class ReferenceSelection:
    """A reference rule fully specified: for drawn references, a single draw.

    Attributes:
        kind, name, size: As in `ReferenceRule`.
        part: Of a set in several parts, the part.
        draw: The number of the draw, from 0; None if references are not drawn.
    """

    kind: str
    name: str | None = None
    size: int | None = None
    draw: int | None = None
    part: str = ""

    def __str__(self) -> str:
        if self.kind == "draw":
            return f"draw-{self.size}-number-{self.draw}-seed-{DRAW_SEED}"
        name = f"{self.name}-part-{self.part}" if self.part else self.name
        return f"set-{name}" if self.kind == "set" else self.kind


def expand_rule(rule: ReferenceRule, *, dataset: Dataset) -> tuple[ReferenceSelection, ...]:
    """Return the selections of a rule: one, or one for each draw, or for each part of the dataset's reference set."""
    if rule.kind == "set":
        known = ReferenceSet.objects.filter(dataset=dataset, name=rule.name).order_by("pk")
        parts = list(known.values_list("part", flat=True)) or [""]
        return tuple(ReferenceSelection("set", name=rule.name, part=part) for part in parts)
    if rule.n_draws is None:
        return (ReferenceSelection(rule.kind),)
    return tuple(ReferenceSelection(rule.kind, size=rule.size, draw=draw) for draw in range(rule.n_draws))


def select_by_image(dataset: Dataset, selection: ReferenceSelection) -> dict[int, Texts]:
    """Return the references of each image (by primary key) under a rule that does not depend on the candidate.

    Raises:
        ScoringFailed: An image has fewer references than are to be drawn.
    """
    references = _load_references(dataset)
    if selection.kind == "exclude-candidates-per-image":
        return _exclude_candidates(dataset, references)
    if selection.kind == "draw":
        return _draw(dataset, references, selection)
    return references


def leave_out(captions: Sequence[str], *, references: Texts) -> Texts:
    """Return the references without these captions, compared by `normalize_caption`.

    Each caption takes away one equal reference, as in the published scripts: if two people wrote the same caption for
    an image, one copy is judged and the other remains a reference.
    """
    left = Counter(map(normalize_caption, captions))
    kept = []
    for text in references:
        if left[normalize_caption(text)] > 0:
            left[normalize_caption(text)] -= 1
        else:
            kept.append(text)
    return tuple(kept)


def select_by_candidate(dataset: Dataset, selection: ReferenceSelection) -> dict[int, tuple[Texts, ...]]:
    """Return the alternatives of each candidate (by primary key) in a reference set, each with its references.

    Raises:
        ScoringFailed: The dataset has no reference set of this name.
    """
    known = {(name, part): pk for name, part, pk in dataset.reference_sets.values_list("name", "part", "pk")}
    if (selection.name, selection.part) not in known:
        names = ", ".join(dict.fromkeys(name for name, _ in known)) or "none"
        raise ScoringFailed(f"dataset {dataset.name}: has no reference set {selection.name!r} (it has: {names})")
    rows = ReferenceChoice.objects.filter(reference_set=known[selection.name, selection.part])
    chosen: dict[int, dict[int, list[str]]] = {}
    ordered = rows.order_by("candidate_id", "alternative", "position")
    for candidate, alternative, text in ordered.values_list("candidate_id", "alternative", "reference__text"):
        chosen.setdefault(candidate, {}).setdefault(alternative, []).append(text)
    return {pk: tuple(map(tuple, alternatives.values())) for pk, alternatives in chosen.items()}


def _load_references(dataset: Dataset) -> dict[int, Texts]:
    rows = Reference.objects.filter(image__dataset=dataset).order_by("image_id", "position")
    return _group(rows.values_list("image_id", "text"))


def _group(rows: Sequence[tuple[int, str]]) -> dict[int, Texts]:
    grouped: dict[int, list[str]] = {}
    for owner, text in rows:
        grouped.setdefault(owner, []).append(text)
    return {owner: tuple(texts) for owner, texts in grouped.items()}


def _exclude_candidates(dataset: Dataset, references: Mapping[int, Texts]) -> dict[int, Texts]:
    judged: dict[int, list[str]] = {}
    for image, text in Candidate.objects.filter(dataset=dataset).order_by().values_list("image_id", "text"):
        judged.setdefault(image, []).append(text)
    return {image: leave_out(judged.get(image, ()), references=texts) for image, texts in references.items()}


def _draw(dataset: Dataset, references: Mapping[int, Texts], selection: ReferenceSelection) -> dict[int, Texts]:
    size = selection.size or 0
    drawn = {}
    for image, key in dataset.images.values_list("pk", "key"):
        texts = references.get(image, ())
        if len(texts) < size:
            raise ScoringFailed(f"image {key}: has {len(texts)} references, but {size} are to be sampled")
        chosen = _make_rng(key, selection).choice(len(texts), size=size, replace=False)
        drawn[image] = tuple(texts[position] for position in sorted(chosen))
    return drawn


def _make_rng(image_key: str, selection: ReferenceSelection) -> np.random.Generator:
    # Seed with the image key, so that a draw does not depend on other images or their order.
    digest = hashlib.sha256(image_key.encode()).digest()
    return np.random.default_rng([DRAW_SEED, selection.draw or 0, int.from_bytes(digest[:8], "little")])
