"""Multiverse analysis: rankings of metrics for all combinations of aggregation, level and coefficient.

References
----------
.. [1] S. Steegen, F. Tuerlinckx, A. Gelman, W. Vanpaemel (2016). Increasing Transparency Through a Multiverse
   Analysis. Perspectives on Psychological Science 11(5). doi:10.1177/1745691616658637
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from correlation.correlate import correlate
from correlation.errors import CorrelationInputError
from correlation.protocols.aggregation import aggregate_judgments
from correlation.protocols.recipe import Measure
from correlation.resampling.parallel import run_tasks
from correlation.tables import JudgmentTable
from correlation.validation import FloatArray, IntArray, as_floats, check_length

# No aggregation: every judgment is an observation.
EACH = "each"
# Equal correlations differ by this much at most, since each is summed in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Universe:
    """One combination of analysis choices: `values` and `ranks` in the order of the metrics. Rank 1 is best, ties get
    the better rank (values that differ by rounding only are equal), and an undefined value (NaN) has rank None."""

    aggregation: str
    level: str
    coefficient: str
    values: tuple[float, ...]
    ranks: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Multiverse:
    """All universes, and for each metric the share of universes that it wins: in which it alone has the first rank.

    Over a few systems a rank correlation has few values, so that many metrics tie for the first rank.
    """

    metrics: tuple[str, ...]
    universes: tuple[Universe, ...]
    wins: tuple[float, ...]


def build_multiverse(
    scores: Mapping[str, ArrayLike],
    judgments: JudgmentTable,
    *,
    aggregations: Sequence[str],
    measures: Sequence[Measure | str],
) -> Multiverse:
    """Correlate every metric under every combination of aggregation and measure.

    Parameters
    ----------
    scores
        For each metric a column of shape (n_items,) in the order of `judgments.items`; higher is better.
    aggregations
        Names in `AGGREGATIONS`, or `each`.
    measures
        Levels and coefficients, as values or texts such as `item:kendall-c`.

    >>> table = JudgmentTable.build(
    ...     items=["a", "b", "c"], image=["1"] * 3, item=list("abcabc"), rater=["x"] * 3 + ["y"] * 3,
    ...     value=[1, 2, 3, 1, 3, 2],
    ... )
    >>> multiverse = build_multiverse(
    ...     {"good": [1, 2, 3], "bad": [3, 2, 1]}, table, aggregations=["each", "mean"], measures=["item:pearson"]
    ... )
    >>> dict(zip(multiverse.metrics, multiverse.wins))
    {'good': 1.0, 'bad': 0.0}
    """
    if not scores or not aggregations or not measures:
        raise CorrelationInputError("`scores`, `aggregations` and `measures` must each name at least one")
    columns = {}
    for name, column in scores.items():
        columns[name] = as_floats(f"scores[{name!r}]", column)
        check_length(f"scores[{name!r}]", len(columns[name]), len(judgments.items), "item")
    checked = [m if isinstance(m, Measure) else Measure.parse(m) for m in measures]
    tasks = [(aggregation, measure) for aggregation in aggregations for measure in checked]
    universes = [*run_tasks(_Analysis(columns, judgments), tasks)]
    firsts = np.array([[rank == 1 for rank in universe.ranks] for universe in universes])
    wins = firsts & (firsts.sum(axis=1, keepdims=True) == 1)
    return Multiverse(tuple(columns), tuple(universes), tuple(wins.mean(axis=0).tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class _Analysis:
    """All judgments and scores; a task is an aggregation with a measure."""

    columns: Mapping[str, FloatArray]
    judgments: JudgmentTable

    def prepare(self) -> Callable[[tuple[str, Measure]], Universe]:
        # Each process aggregates once for all measures.
        aggregate = cache(lambda name: _aggregate(self.judgments, name))

        def analyse(task: tuple[str, Measure]) -> Universe:
            aggregation, measure = task
            return _analyse(self.columns, self.judgments, *aggregate(aggregation), aggregation, measure)

        return analyse


def _aggregate(judgments: JudgmentTable, aggregation: str) -> tuple[IntArray, FloatArray]:
    if aggregation == EACH:
        return judgments.item, judgments.value
    return np.arange(len(judgments.items)), aggregate_judgments(judgments, rule=aggregation)


def _analyse(
    columns: Mapping[str, FloatArray],
    judgments: JudgmentTable,
    item: IntArray,
    target: FloatArray,
    aggregation: str,
    measure: Measure,
) -> Universe:
    values = tuple(
        correlate(
            column[item],
            target,
            level=measure.level,
            coefficient=measure.coefficient,
            groups=judgments.image[item],
            systems=None if judgments.system is None else judgments.system[item],
        ).value
        for column in columns.values()
    )
    ranks = tuple(None if isnan(value) else 1 + sum(other > value + ROUNDING for other in values) for value in values)
    return Universe(aggregation, measure.level, measure.coefficient, values, ranks)
