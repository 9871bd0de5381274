"""Evaluate a protocol for one metric and return the rows of the result."""

from dataclasses import replace

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.judged_pairs import evaluate_accuracy, evaluate_votes
from correlation.protocols.rated_items import evaluate_ratings, select_judgments
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import MEAN, ResultRow
from correlation.resampling.intervals import IntervalRequest

__all__ = ["MEAN", "evaluate_protocol", "select_judgments"]


def evaluate_protocol(
    protocol: Protocol,
    data: RatedItems | JudgedPairs,
    *,
    metric: str = "",
    interval: IntervalRequest | None = None,
    rng: np.random.Generator | None = None,
) -> tuple[ResultRow, ...]:
    """Compute the result rows of a protocol for one metric.

    With several draws of references, each number is computed for every draw and averaged. With an `interval`, every
    row gets bounds. All rows use the same resamples, determined by `rng`, so that metrics evaluated with equal seeds
    use equal resamples. If judgments are aggregated (mean, majority) and raters are resampled, each resample aggregates
    again.

    Raises
    ------
    CorrelationInputError
        The data are of the wrong kind (ratings for a protocol of pairs), or lack a required column.

    Examples
    --------
    >>> from correlation.protocols.named import get_protocol
    >>> from correlation.tables import JudgmentTable
    >>> votes = JudgmentTable.build(
    ...     items=["p", "q"], image=["1", "2"], category=["HC", "HC"],
    ...     item=["p", "q"], rater=["ann", "ann"], value=[1, -1],
    ... )
    >>> pairs = JudgedPairs.build(votes, scores=[[0.5, 0.25], [0.5, 0.5]])
    >>> protocol = get_protocol("pascal-50s", categories=("HC",))
    >>> [(row.category, row.value, row.n) for row in evaluate_protocol(protocol, pairs)]
    [('HC', 0.5, 2), ('mean', 0.5, 2)]
    """
    if protocol.is_pairwise != isinstance(data, JudgedPairs):
        wanted = "JudgedPairs" if protocol.is_pairwise else "RatedItems"
        raise CorrelationInputError(f"protocol {protocol.reference} needs {wanted}, got {type(data).__name__}")
    seed = None if interval is None or rng is None else int(rng.integers(2**63))
    rows: list[ResultRow] = []
    for measure in protocol.measures:
        if isinstance(data, RatedItems):
            rows += evaluate_ratings(protocol, measure, data, interval, seed)
        elif measure.coefficient == "accuracy":
            rows += evaluate_accuracy(protocol, measure, data, interval, seed)
        else:
            rows += evaluate_votes(measure, data, interval, seed)
    return tuple(replace(row, metric=metric) for row in rows) if metric else tuple(rows)
