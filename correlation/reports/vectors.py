"""Build a report from plain arrays, for use in notebooks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import RatedItems
from correlation.protocols.named import get_protocol
from correlation.reports.build import build_report
from correlation.reports.report import Report
from correlation.tables import JudgmentTable
from correlation.validation import as_floats, check_length


def report_vectors(
    scores: Mapping[str, ArrayLike],
    judgments: ArrayLike,
    *,
    rng: np.random.Generator | int,
    coefficient: str = "kendall-b",
    level: str = "item",
    ratings: str = "each",
    images: ArrayLike | None = None,
    systems: ArrayLike | None = None,
    **options: Any,
) -> Report:
    """Report how well metrics agree with people, from plain arrays.

    Parameters
    ----------
    scores
        For each metric shape (n_items,); higher is better, NaN = missing.
    judgments
        Shape (n_items,), or (n_items, n_raters) if raters are known; NaN = not judged. A human ceiling requires known
        raters.
    rng
        A seed or a generator, as in `build_report`.
    coefficient, level
        As in `correlate`.
    ratings
        How the judgments of an item become one target: `each` uses every judgment as an observation, otherwise a rule
        of `aggregate_judgments` such as `mean`.
    images, systems
        Shape (n_items,): keys of each item's image and system. Without images, all items are assumed to be independent:
        pass images if captions share them, otherwise the intervals are too narrow.
    options
        Arguments of `build_report`: `resamples`, `clusters`, `method`, `test`, `correction`, `alpha`, `ceilings`,
        `signatures`, `title`, `watch`.

    Raises
    ------
    CorrelationInputError
        Columns differ in length, there are no judgments, or an argument of `build_report` is invalid.

    Examples
    --------
    >>> report = report_vectors({"cider": [0.1, 0.4, 0.3], "bleu": [0.3, 0.1, 0.2]}, [1, 4, 2], rng=1, resamples=20)
    >>> [(row.metric, round(row.value, 3), row.n) for row in report.rows]
    [('cider', 1.0, 3), ('bleu', -1.0, 3)]
    """
    if not scores:
        raise CorrelationInputError("`scores` must have at least one metric, got none")
    table = _build_table(judgments, images, systems)
    data = {}
    for name, column in scores.items():
        checked = as_floats(f"scores[{name!r}]", column)
        check_length(f"scores[{name!r}]", len(checked), len(table.items), "item")
        data[name] = RatedItems.build(table, scores=checked)
    protocol = get_protocol("custom", rows="all", references="all", ratings=ratings, measures=f"{level}:{coefficient}")
    if len(np.unique(table.rater)) < 2:
        options.setdefault("ceilings", ())
    return build_report(protocol, data, rng=rng, **options)


def _build_table(judgments: ArrayLike, images: ArrayLike | None, systems: ArrayLike | None) -> JudgmentTable:
    ndim = np.ndim(np.asarray(judgments))
    matrix = as_floats("judgments", judgments, ndim=2 if ndim == 2 else 1)
    matrix = matrix.reshape(len(matrix), -1)
    item, rater = np.nonzero(~np.isnan(matrix))
    if not len(item):
        raise CorrelationInputError(f"`judgments` has no judgment, got shape {matrix.shape}")
    keys = np.arange(len(matrix))
    return JudgmentTable.build(
        items=keys,
        image=keys if images is None else images,
        system=systems,
        item=item,
        rater=rater,
        value=matrix[item, rater],
    )
