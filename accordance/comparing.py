"""Test which metrics agree better with the same judgments than others."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from accordance.columns import JudgedColumns
from accordance.showing import Figure, format_html
from correlation.comparison.compare import ComparisonRequest, ComparisonTable, Difference, compare_metrics
from correlation.comparison.methods import choose_resamples
from correlation.defaults import CORRECTION, TEST

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = ("first", "second", "difference", "p_value", "p_adjusted", "low", "high")


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All pairs of metrics, with the difference of their agreement with the same judgments.

    Attributes:
        judgment: The column of judgments.
        table: The values, tests and signature: `correlation.comparison.compare.ComparisonTable`.
    """

    judgment: str
    table: ComparisonTable

    def find(self, first: str, second: str) -> Difference:
        """Return the difference of two metrics, given in either order; `first` of the result is the better one.

        Raises:
            UnknownNameError: The pair was not compared.
        """
        return self.table.find(first, second)

    @property
    def signature(self) -> str:
        """What determines the numbers: level, coefficient and test."""
        return f"level:{self.table.level}|coefficient:{self.table.coefficient}|{self.table.request.signature}"

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each pair, the better metric first; `p_adjusted` is corrected over all pairs."""
        import pandas as pd

        return pd.DataFrame(self._list_rows(), columns=list(_COLUMNS))

    def plot(self) -> Figure:
        """Return the forest plot of the metrics' agreement, from the best, on the rows that all of them score.

        Raises:
            CorrelationInputError: The agreement of every metric is undefined.
        """
        from correlation.figures import NamedInterval, draw_intervals

        rows = [NamedInterval(*each) for each in zip(self.table.metrics, self.table.values, strict=True)]
        axis = f"{self.table.coefficient}, level {self.table.level}"
        return Figure(draw_intervals(rows, title=f"Agreement with {self.judgment}", axis=axis))

    def __repr__(self) -> str:
        pairs = ", ".join(f"{row[0]} - {row[1]}: {row[2]:.4f} (p {row[4]:.4f})" for row in self._list_rows())
        return f"Comparison({self.signature}; {pairs})"

    def _repr_html_(self) -> str:
        caption = f"Differences in agreement with {self.judgment}, {self.table.n} rows or units"
        return format_html(_COLUMNS, self._list_rows(), caption=caption, signature=self.signature)

    def _list_rows(self) -> list[tuple[str, str, float, float, float, float | None, float | None]]:
        return [
            (each.first, each.second, each.difference, each.p_value, each.p_adjusted, each.low, each.high)
            for each in self.table.differences
        ]


def compare(
    frame: "pd.DataFrame",
    *,
    metrics: Sequence[str],
    judgment: str,
    coefficient: str = "kendall-b",
    level: str = "item",
    image: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    test: str | None = None,
    correction: str = CORRECTION,
    n_resamples: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Test every pair of metrics for a difference in their agreement with a column of judgments.

    Rows that lack the judgment or the score of any metric are left out for all metrics.

    Args:
        frame: One row per judgment or per judged caption.
        metrics: At least two columns of scores, for all of which higher is better.
        judgment: The column of judgments.
        coefficient: A coefficient of docs/statistics.md, such as `kendall-b` or `pearson`.
        level: `item`, `group` (mean over images), `system` or `global`.
        image: The column of image keys.
        system: The column of system names.
        rater: The column of rater keys.
        test: `perm-input` (swaps the scores of whole images; the default with `image`), `perm-both` (of single
            captions; the default without), `perm-system`, `bootstrap` (over images, with bounds of the difference) or
            `williams`.
        correction: `holm`, `bh` or `none`, over all pairs.
        n_resamples: The number of permutations or resamples; by default as many as the correction needs.
        seed: The seed of the draws.

    Raises:
        ValueError: A column is missing or has no numbers, there are fewer than two metrics, or the test lacks keys.
        UnknownNameError: The level, coefficient, test or correction is unknown.
    """
    columns = JudgedColumns.read(frame, metrics=metrics, judgment=judgment, image=image, system=system, rater=rater)
    chosen = test or ("perm-both" if image is None else TEST)
    request = ComparisonRequest(
        chosen,
        resampled=("images",) if chosen == "bootstrap" else (),
        n_resamples=n_resamples if n_resamples is not None else choose_resamples(comb(len(metrics), 2)),
        correction=correction,
    )
    table = compare_metrics(
        columns.scores,
        columns.judgments,
        level=level,
        coefficient=coefficient,
        request=request,
        rng=np.random.default_rng(seed),
        groups=columns.groups,
        systems=columns.systems,
        raters=columns.raters,
    )
    return Comparison(judgment, table)
