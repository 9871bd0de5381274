"""An adapter for metrics of sacrebleu, which computes the score of a system from totals as sacrebleu does."""

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version as find_version
from typing import Any, Unpack

import numpy as np

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import Declaration, declare, list_options, resolve
from metrics_plugins.api import Batch, DecomposableMetric, Metric
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue


def adapt_sacrebleu(
    factory: str | Callable[..., Any],
    *,
    options: Mapping[str, SignatureValue] | None = None,
    **declaration: Unpack[Declaration],
) -> type[Metric]:
    """Return a decomposable metric with the segment scores and the corpus score of a sacrebleu metric.

    The score of a segment equals that of `sentence_score`, the score of a system that of `corpus_score`; both come from
    the same sufficient statistics. A row without references has no score (NaN) and does not count for its system. The
    version of sacrebleu is part of the signature.

    Args:
        factory: A name such as `"sacrebleu.metrics:CHRF"`, so that sacrebleu is imported only for scoring; or a class,
            or a function that creates the metric.
        options: Arguments of the factory, which become parameters of the metric with these defaults.
        declaration: The fields of `Declaration`; `bounds` are on sacrebleu's scale, which usually ends at 100.

    Raises:
        ValueError: A field of the declaration is invalid.
    """
    info = declare(**declaration)
    parameters = list_options(options or {})
    return make_class(Adaptation(SacrebleuMetric, source=factory, info=info, parameters=parameters))


class SacrebleuMetric(AdaptedMetric, DecomposableMetric):
    """Computes sacrebleu's statistics of each row."""

    def describe(self) -> Mapping[str, SignatureValue]:
        return {**self.params, "sacrebleu": find_version("sacrebleu")}

    @cached_property
    def _peer(self) -> Any:
        return resolve(self.adaptation.source)(**self.params)

    @cached_property
    def n_statistics(self) -> int:  # type: ignore[override]  # known only when sacrebleu is imported
        """The number of statistics of a row, which depends on the options."""
        return len(self._collect("a", ("a",)))

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, n_statistics)` in sacrebleu's order; NaN for a row without references."""
        statistics = np.full((len(batch), self.n_statistics), np.nan)
        for number, row in enumerate(list_rows(batch, self.info)):
            if row is not None:
                statistics[number] = self._collect(*row)
        return statistics

    def reduce(self, totals: Values) -> Values:
        """Return sacrebleu's score of each set of totals; NaN for NaN."""
        rows = totals.reshape(-1, totals.shape[-1])
        scores = [float("nan") if np.isnan(row).any() else self._rate(row) for row in rows]
        return np.array(scores, dtype=np.float64).reshape(totals.shape[:-1])

    def keep_counted(self, statistics: Values) -> Values:
        """Return the statistics of the rows that have a score."""
        return statistics[~np.isnan(statistics).any(axis=1)]

    def _collect(self, candidate: str, references: tuple[str, ...]) -> list[float]:
        # sacrebleu expects one list per reference position, with that reference of every candidate.
        (statistics,) = self._peer._extract_corpus_statistics([candidate], [[reference] for reference in references])
        collected: list[float] = statistics
        return collected

    def _rate(self, totals: Values) -> float:
        # A new list, because some smoothing methods modify it.
        return float(self._peer._compute_score_from_stats(totals.tolist()).score)
