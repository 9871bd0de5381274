"""Selects a part of a study's observations: some raters, systems, categories, captions or images, and all metrics."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from correlation.errors import CorrelationInputError
from studies.analysis.correlations import MetricObservations, StudyObservations
from studies.analysis.explorer.choice import RATERS_ALL, RATERS_CHOSEN, Slice
from studies.analysis.explorer.facts import ItemFacts

Mask = npt.NDArray[np.bool_]


def slice_observations(
    whole: StudyObservations,
    part: Slice,
    *,
    excluded: frozenset[str],
    facts: ItemFacts | None = None,
    images: frozenset[int] | None = None,
) -> StudyObservations:
    """Return the observations of a part.

    Args:
        whole: The observations of all raters, including excluded ones.
        part: The part to select.
        excluded: Pseudonyms of excluded raters, who are left out unless `part` has all raters or names them.
        facts: Required for a selection by lengths or objects.
        images: Primary keys of the images with the selected object.

    Raises:
        CorrelationInputError: A rater, system or category is not in the study, or the part is empty.
    """
    kept = select_items(whole, part, facts=facts, images=images)
    judgments = whole.judgments
    counted = _select_raters(judgments.table.rater, part, excluded=excluded)
    left_out = excluded & set(judgments.table.rater[~counted].tolist()) if part.raters != RATERS_CHOSEN else ()
    table = judgments.table if counted.all() else judgments.table.keep(counted)
    if not kept.all():
        table = table.keep_items(kept)
    if not len(table.value):
        raise CorrelationInputError(
            f"study {whole.study.name}: there are no judgments in this subset; choose a larger one"
        )
    return replace(
        whole,
        judgments=replace(
            judgments,
            table=table,
            scored=judgments.scored[kept],
            in_references=None if judgments.in_references is None else judgments.in_references[kept],
            n_excluded=len(left_out),
        ),
        metrics=tuple(
            MetricObservations(each.metric, each.run, each.scores if kept.all() else each.scores[:, kept])
            for each in whole.metrics
        ),
    )


def select_items(
    whole: StudyObservations, part: Slice, *, facts: ItemFacts | None, images: frozenset[int] | None
) -> Mask:
    """Return which items are in the part, `(n_items,)`."""
    table = whole.judgments.table
    kept: Mask = np.ones(len(table.items), dtype=np.bool_)
    for name, wanted, column in (
        ("system", part.systems, table.system),
        ("category", part.categories, table.category),
    ):
        if wanted:
            known = np.unique(column) if column is not None else np.empty(0, dtype=np.str_)
            _check_known(name, wanted, known.tolist())
            kept &= np.isin(column, wanted)
    if part.least_words is not None or part.most_words is not None:
        words = _require(facts).words
        if part.least_words is not None and part.most_words is not None and part.least_words > part.most_words:
            raise CorrelationInputError(
                f"there cannot be captions with at least {part.least_words} and at most {part.most_words} words"
            )
        least, most = part.least_words or 0, part.most_words
        kept &= (words >= least) & (words <= (words.max(initial=0) if most is None else most))
    if part.thing:
        kept &= np.isin(_require(facts).images, list(images or ()))
    return kept


def _select_raters(rater: npt.NDArray[np.str_], part: Slice, *, excluded: frozenset[str]) -> Mask:
    if part.raters == RATERS_ALL:
        return np.ones(len(rater), dtype=np.bool_)
    if part.raters == RATERS_CHOSEN:
        if not part.chosen_raters:
            raise CorrelationInputError("no raters are selected; select at least one")
        _check_known("rater", part.chosen_raters, np.unique(rater).tolist())
        return np.isin(rater, part.chosen_raters)
    return ~np.isin(rater, list(excluded)) if excluded else np.ones(len(rater), dtype=np.bool_)


def _check_known(what: str, wanted: Sequence[str], known: Sequence[str]) -> None:
    strange = [name for name in wanted if name not in known]
    if strange:
        there = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
        raise CorrelationInputError(f"there is no {what} {strange[0]!r} with judgments, there are: {there}")


def _require(facts: ItemFacts | None) -> ItemFacts:
    if facts is None:
        raise TypeError("`facts` are needed by a slice of lengths or objects, got None")
    return facts
