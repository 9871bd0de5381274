"""Loads a study for the explorer: its judgments and scores, cached in memory, and the values to choose from."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from django.core.cache import cache, caches

from correlation.errors import CorrelationInputError
from correlation.protocols.named import Protocol
from studies.analysis.correlations import StudyObservations, find_judged_study, gather_observations
from studies.analysis.explorer.choice import Slice, find_base
from studies.analysis.explorer.facts import ItemFacts, find_images, load_item_facts
from studies.analysis.explorer.slices import slice_observations
from studies.analysis.fingerprint import fingerprint_results, hash_facts
from studies.collection.judgments import load_judgments
from studies.models import Exclusion, Study
from studies.scoring.errors import MissingScores
from studies.shared.errors import Refusal
from studies.shared.problems import read_problem

OBSERVATIONS: Final = "observations"
"""The cache in this process for columns of judgments and scores, which are slow to load and take megabytes each."""


class NothingToExplore(Refusal):
    """There is no report for the options; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class RaterFacet:
    """A rater to choose."""

    pseudonym: str
    n_judgments: int
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class Facets:
    """The values by which judgments of a study can be selected; names are in alphabetical order.

    `fewest_words` and `most_words` are the extreme lengths of rated captions, None unless single captions are rated.
    """

    systems: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    raters: tuple[RaterFacet, ...] = ()
    fewest_words: int | None = None
    most_words: int | None = None


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """A study in its current state, under a protocol.

    Attributes:
        study: The requested study.
        judged: The study whose judgments are used: the requested one, or the sibling that the protocol belongs to.
        base: The protocol without changes.
        fingerprint: A digest of everything that results depend on.
        facets: The values to choose from; empty if there are none.
        problem: Why there is nothing; empty if there is something.
    """

    study: Study
    judged: Study
    base: Protocol
    fingerprint: str
    facets: Facets
    problem: str = ""


def open_study(study: Study, *, protocol: str = "") -> OpenedStudy:
    """Open a study under a protocol, by default its own; for an unknown protocol `problem` is set."""
    problem = ""
    try:
        base = find_base(study, protocol)
        judged = find_judged_study(study, base)
    except CorrelationInputError as error:
        problem, judged, base = read_problem(error), study, find_base(study, "")
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
        CorrelationInputError, MissingScores: As for `gather_observations` and `slice_observations`.
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
    """Return all observations of the study, including those of excluded raters; cached in memory.

    The cached columns do not depend on level, coefficient, pooling and ties of the protocol.
    """
    key = hash_facts(opened.fingerprint, _sign_columns(protocol))
    kept: StudyObservations | None = caches[OBSERVATIONS].get(key)
    if kept is None:
        kept = gather_observations(opened.judged, protocol=protocol.signature, with_excluded=True)
        caches[OBSERVATIONS].set(key, kept)
    return replace(kept, protocol=protocol)


def _sign_columns(protocol: Protocol) -> tuple[object, ...]:
    """Return the parts of a protocol that determine the columns to load."""
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
    """Return the values to choose from, or why there are none."""
    try:
        table = load_observations(opened, opened.base).judgments.table
    except MissingScores:
        # There may be scores for other references, which can be selected.
        table = load_judgments(opened.judged, opened.base, with_excluded=True).table
    except CorrelationInputError as error:
        return read_problem(error)
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
    """Return the different names in a column; empty if there is only one, since there is no choice."""
    names = np.unique(np.asarray(column)) if column is not None else np.empty(0)
    return tuple(names.tolist()) if len(names) > 1 else ()
