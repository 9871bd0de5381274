"""Ranks the items of a study by the difference of two sides; the arithmetic is in `correlation`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from django.core.cache import caches

from correlation.agreement.disagreement import (
    average_values,
    differ_in_rank,
    oppose,
    rank_percentiles,
    sign_margins,
    spread_values,
)
from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable
from studies.analysis.correlations import StudyObservations
from studies.analysis.explorer.choice import Slice
from studies.analysis.explorer.loaded_study import OBSERVATIONS, NothingToExplore, OpenedStudy, load_part
from studies.analysis.fingerprint import hash_facts
from studies.collection.judgments import load_judgments
from studies.scoring.errors import MissingScores

Floats = npt.NDArray[np.float64]

PEOPLE, METRICS, RATERS = "people", "metrics", "raters"
COMPARISONS: Final = (PEOPLE, METRICS, RATERS)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The two sides, and the items.

    Attributes:
        kind: `people` (a metric with people), `metrics` (two metrics), `raters` (with each other).
        metric, other: Ids; empty for the first ones that have scores.
        systems, categories: Names to include; empty for all.
    """

    kind: str = PEOPLE
    metric: str = ""
    other: str = ""
    systems: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One side: the value of each item, and its percentile among all, from 0 to 1.

    For pairs the value is that of the first caption minus that of the second; the percentile is signed, from -1 to 1.
    """

    values: Floats
    percentiles: Floats


@dataclass(frozen=True, slots=True, eq=False)
class VoteColumns:
    """The values that raters gave to each item, as item numbers, values and numbers of raters, each `(n_votes,)`."""

    item: npt.NDArray[np.int64]
    value: Floats
    n: npt.NDArray[np.int64]

    @classmethod
    def count(cls, table: JudgmentTable) -> "VoteColumns":
        """Count the judgments of a table."""
        values, value_index = np.unique(table.value, return_inverse=True)
        cells, n = np.unique(table.item * len(values) + value_index, return_counts=True)
        item, which = np.divmod(cells, max(len(values), 1))
        return cls(item, values[which], n)

    def get(self, row: int) -> tuple[tuple[float, int], ...]:
        """Return the values of an item, ascending, each with its number of raters."""
        low, high = np.searchsorted(self.item, [row, row + 1])
        return tuple(zip(self.value[low:high].tolist(), self.n[low:high].tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Items by the difference of the sides, largest first.

    Attributes:
        comparison: The comparison with the metrics used.
        is_pairwise: Whether items are pairs.
        items: `(n_items,)` primary keys; rows refer to their positions.
        votes: The numbers of raters by item and value.
        rows: The positions of the ranked items, in order.
        sizes: `(n_items,)` the differences of the sides; NaN if one of them is missing.
        people: Mean judgments.
        metrics: Scores by id, in the order of the ids.
        n_missing: The number of items that cannot be compared.
    """

    comparison: Comparison
    is_pairwise: bool
    items: npt.NDArray[np.int64]
    votes: VoteColumns
    rows: npt.NDArray[np.int64]
    sizes: Floats
    people: Column
    metrics: Mapping[str, Column]
    n_missing: int

    def count_judgments(self) -> npt.NDArray[np.int64]:
        """Return the number of judgments of each item, `(n_items,)`."""
        return np.bincount(self.votes.item, self.votes.n, minlength=len(self.items)).astype(np.int64)


def rank_items(opened: OpenedStudy, comparison: Comparison) -> Ranking:
    """Return the ranking, cached in this process until something changes.

    Raises:
        NothingToExplore: There are no judgments or scores for the comparison.
    """
    if opened.problem:
        raise NothingToExplore(opened.problem)
    key = hash_facts("disagreements", opened.fingerprint, opened.base.signature, comparison)
    kept: Ranking | None = caches[OBSERVATIONS].get(key)
    if kept is None:
        try:
            kept = order_items(_load(opened, comparison), comparison)
        except (CorrelationInputError, MissingScores) as error:
            raise NothingToExplore(str(error)) from error
        caches[OBSERVATIONS].set(key, kept)
    return kept


def order_items(gathered: StudyObservations, comparison: Comparison) -> Ranking:
    """Return the ranking of judgments and scores.

    Raises:
        NothingToExplore: A metric has no scores, or there are too few metrics.
    """
    table, is_pairwise = gathered.judgments.table, gathered.protocol.is_pairwise
    n_items = len(table.items)
    means = average_values(table.item, table.value, n_items=n_items)
    people = Column(means, means if is_pairwise else rank_percentiles(means))
    metrics = {
        each.metric: _arrange(each.scores.mean(axis=0), is_pairwise)
        for each in sorted(gathered.metrics, key=lambda each: each.metric)
    }
    chosen = _choose_metrics(comparison, tuple(metrics))
    if chosen.kind == RATERS:
        sizes = spread_values(table.item, table.value, n_items=n_items)
    else:
        first = metrics[chosen.metric]
        second = metrics[chosen.other] if chosen.kind == METRICS else people
        sizes = (
            oppose(first.percentiles, second.percentiles)
            if is_pairwise
            else np.abs(differ_in_rank(first.values, second.values))
        )
    # Sides that choose the same caption of a pair do not differ, whatever their values.
    apart = np.flatnonzero(sizes > 0)
    rows = apart[np.argsort(-sizes[apart], kind="stable")]
    votes, n_missing = VoteColumns.count(table), int(np.isnan(sizes).sum())
    keys = np.asarray(table.items, dtype=np.int64)
    return Ranking(chosen, is_pairwise, keys, votes, rows, sizes, people, metrics, n_missing)


def _load(opened: OpenedStudy, comparison: Comparison) -> StudyObservations:
    part = Slice(systems=comparison.systems, categories=comparison.categories)
    try:
        return load_part(opened, opened.base, part)
    except MissingScores:
        if comparison.kind != RATERS or part != Slice():
            raise
        judgments = load_judgments(opened.judged, opened.base)
        return StudyObservations(opened.judged, opened.base, judgments, metrics=(), unscored=())


def _arrange(scores: Floats, is_pairwise: bool) -> Column:
    if is_pairwise:
        differences = scores[:, 0] - scores[:, 1]
        return Column(differences, sign_margins(differences))
    return Column(scores[:, 0], rank_percentiles(scores[:, 0]))


def _choose_metrics(comparison: Comparison, there: tuple[str, ...]) -> Comparison:
    if comparison.kind == RATERS:
        return Comparison(RATERS, systems=comparison.systems, categories=comparison.categories)
    for name in (comparison.metric, comparison.other if comparison.kind == METRICS else ""):
        if name and name not in there:
            raise NothingToExplore(f"there are no scores of {name}; there are scores of: {', '.join(there) or 'none'}")
    metric = comparison.metric or next(iter(there), "")
    if not metric:
        raise NothingToExplore("No metric has scores for this study; compare raters with each other instead.")
    other = ""
    if comparison.kind == METRICS:
        other = comparison.other or next((name for name in there if name != metric), "")
        if not other or other == metric:
            raise NothingToExplore("Comparing metrics needs two different metrics with scores.")
    return Comparison(comparison.kind, metric, other, comparison.systems, comparison.categories)
