"""Opens a study for the explorer: its judgments and scores kept in memory, and what one may choose among."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from django.core.cache import cache, caches

from correlation.errors import CorrelationInputError
from correlation.protocols.named import Protocol
from studies.analysis.analysis import StudyObservations, find_judged_study, gather_observations
from studies.analysis.exploring.choice import Slice, find_base
from studies.analysis.exploring.facts import ItemFacts, find_images, load_item_facts
from studies.analysis.exploring.slicing import slice_observations
from studies.analysis.fingerprint import fingerprint_results
from studies.collection.judgments import load_judgments
from studies.models import Exclusion, Study
from studies.scoring.errors import MissingScores

OBSERVATIONS: Final = "observations"
"""The cache of this process for columns of judgments and scores: the costly part, megabytes each."""


class NothingToExplore(Exception):
    """There is no report of what was chosen; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class RaterFacet:
    """A rater that may be chosen."""

    pseudonym: str
    n_judgments: int
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class Facets:
    """What the judgments of a study can be sliced by; names in alphabetical order.

    `fewest_words` and `most_words` are the lengths of the rated captions, None where not single captions are rated.
    """

    systems: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    raters: tuple[RaterFacet, ...] = ()
    fewest_words: int | None = None
    most_words: int | None = None


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """A study at one moment, under a protocol.

    Attributes:
        study: The study that was asked for.
        judged: Whose judgments are looked at: the study, or its sibling that the protocol belongs to.
        base: The protocol before anything is changed about it.
        fingerprint: Of all that results depend on.
        facets: Empty where there is nothing to slice.
        problem: Why there is nothing; empty if there is something.
    """

    study: Study
    judged: Study
    base: Protocol
    fingerprint: str
    facets: Facets
    problem: str = ""


def open_study(study: Study, *, protocol: str = "") -> OpenedStudy:
    """Open a study under a protocol, by default its own; an unknown one is told as the problem."""
    problem = ""
    try:
        base = find_base(study, protocol)
        judged = find_judged_study(study, base)
    except CorrelationInputError as error:
        problem, judged, base = str(error), study, find_base(study, "")
    opened = OpenedStudy(study, judged, base, fingerprint_results(judged), Facets(), problem)
    if problem:
        return opened
    key = f"facets:{hash_facts(opened.fingerprint, _sign_columns(base))}"
    facets: Facets | str | None = cache.get(key)
    if facets is None:
        facets = _find_facets(opened)
        cache.set(key, facets)
    return replace(opened, problem=facets) if isinstance(facets, str) else replace(opened, facets=facets)


def load_part(opened: OpenedStudy, protocol: Protocol, part: Slice) -> StudyObservations:
    """Return the observations of a part of the study, under a variant of its protocol.

    Raises:
        CorrelationInputError, MissingScores: As `gather_observations` and `slice_observations`.
    """
    whole = load_observations(opened, protocol)
    has_lengths = part.least_words is not None or part.most_words is not None
    images = find_images(opened.judged, part.thing, fingerprint=opened.fingerprint) if part.thing else None
    return slice_observations(
        whole,
        part,
        excluded=frozenset(rater.pseudonym for rater in opened.facets.raters if rater.is_excluded),
        facts=_keep_facts(opened) if has_lengths or part.thing else None,
        images=images,
    )


def load_observations(opened: OpenedStudy, protocol: Protocol) -> StudyObservations:
    """Return all observations of the study, those of excluded raters too; from memory where they are there.

    Level, coefficient, pooling and ties of the protocol do not matter to what is kept.
    """
    key = hash_facts(opened.fingerprint, _sign_columns(protocol))
    kept: StudyObservations | None = caches[OBSERVATIONS].get(key)
    if kept is None:
        kept = gather_observations(opened.judged, protocol=protocol.signature, with_excluded=True)
        caches[OBSERVATIONS].set(key, kept)
    return replace(kept, protocol=protocol)


def hash_facts(*facts: object) -> str:
    """Return a short text that is equal for equal facts."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _sign_columns(protocol: Protocol) -> tuple[object, ...]:
    """What of a protocol decides which columns are read."""
    return (
        protocol.references.signature,
        protocol.drop_candidates_in_references,
        bool(protocol.criteria),
        protocol.is_pairwise,
    )


def _keep_facts(opened: OpenedStudy) -> ItemFacts:
    key = f"facts:{opened.fingerprint}"
    kept: ItemFacts | None = caches[OBSERVATIONS].get(key)
    if kept is None:
        kept = load_item_facts(opened.judged)
        caches[OBSERVATIONS].set(key, kept)
    return kept


def _find_facets(opened: OpenedStudy) -> Facets | str:
    """Return what there is to choose, or why there is nothing."""
    try:
        table = load_observations(opened, opened.base).judgments.table
    except MissingScores:
        # Of other references there may be scores, and those may be asked for.
        table = load_judgments(opened.judged, opened.base, with_excluded=True).table
    except CorrelationInputError as error:
        return str(error)
    in_force = Exclusion.objects.filter(rater__study=opened.judged, lifted_at=None)
    excluded = set(in_force.values_list("rater__pseudonym", flat=True))
    words = _keep_facts(opened).words
    known = words[words >= 0]
    names, counts = np.unique(table.rater, return_counts=True)
    return Facets(
        systems=_list_names(table.system) if not opened.base.is_pairwise else (),
        categories=_list_names(table.category),
        raters=tuple(
            RaterFacet(name, count, name in excluded)
            for name, count in zip(names.tolist(), counts.tolist(), strict=True)
        ),
        fewest_words=int(known.min()) if len(known) else None,
        most_words=int(known.max()) if len(known) else None,
    )


def _list_names(column: object) -> tuple[str, ...]:
    """The names in a column; none where all are the same, for there is nothing to choose."""
    names = np.unique(np.asarray(column)) if column is not None else np.empty(0)
    return tuple(names.tolist()) if len(names) > 1 else ()
