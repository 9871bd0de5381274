"""A metric out of one of sacrebleu, with the score of a system computed from sums, as sacrebleu does."""

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version as find_version
from typing import Any

import numpy as np

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import declare, list_options, resolve
from metrics_plugins.api import Batch, DecomposableMetric, Metric
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue


def adapt_sacrebleu(
    factory: str | Callable[..., Any],
    *,
    id: str,  # noqa: A002  (the name that MetricInfo has for it)
    title: str,
    bounds: tuple[float, float],
    higher_is_better: bool,
    citation: str,
    version: str,
    options: Mapping[str, SignatureValue] | None = None,
) -> type[Metric]:
    """Return a decomposable metric with the segment scores and the corpus score of a sacrebleu metric.

    A segment's score is what `sentence_score` gives, the system's what `corpus_score` gives: both come from the same
    sufficient statistics. A row without references has no score (NaN) and does not count for its system. The version
    of sacrebleu prints in the signature.

    Args:
        factory: Such as `"sacrebleu.metrics:CHRF"`: by name, so that sacrebleu is imported only when it scores. Or a
            class, or a function that makes the metric.
        id: As for `adapt_function`, with all that follows.
        title: The name as papers print it.
        bounds: Of sacrebleu's own scale, which mostly ends at 100.
        higher_is_better: Whether a larger score means a better caption.
        citation: Where the metric is defined.
        version: Changes whenever a score may change.
        options: Arguments of the factory. They become parameters of the metric with these defaults.

    Raises:
        ValueError: A field of the declaration breaks its rule.
    """
    info = declare(
        id=id, title=title, bounds=bounds, higher_is_better=higher_is_better, citation=citation, version=version
    )
    parameters = list_options(options or {})
    return make_class(Adaptation(SacrebleuMetric, source=factory, info=info, parameters=parameters))


class SacrebleuMetric(AdaptedMetric, DecomposableMetric):
    """Collects sacrebleu's statistics of each row."""

    def describe(self) -> Mapping[str, SignatureValue]:
        return {**self.params, "sacrebleu": find_version("sacrebleu")}

    @cached_property
    def _peer(self) -> Any:
        return resolve(self.adaptation.source)(**self.params)

    @cached_property
    def n_statistics(self) -> int:  # type: ignore[override]  # known only when sacrebleu is imported
        """How many statistics a row has, which depends on the options."""
        return len(self._collect("a", ("a",)))

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, n_statistics)` as sacrebleu orders them; NaN for a row without references."""
        statistics = np.full((len(batch), self.n_statistics), np.nan)
        for number, row in enumerate(list_rows(batch, self.info)):
            if row is not None:
                statistics[number] = self._collect(*row)
        return statistics

    def reduce(self, totals: Values) -> Values:
        """Return sacrebleu's score of each set of totals; NaN where they are."""
        rows = totals.reshape(-1, totals.shape[-1])
        scores = [float("nan") if np.isnan(row).any() else self._rate(row) for row in rows]
        return np.array(scores, dtype=np.float64).reshape(totals.shape[:-1])

    def reduce_corpus(self, statistics: Values) -> float:
        """Return the score of all rows that have one, from their totals; NaN if none has."""
        return super().reduce_corpus(statistics[~np.isnan(statistics).any(axis=1)])

    def _collect(self, candidate: str, references: tuple[str, ...]) -> list[float]:
        # sacrebleu wants one list for each position of a reference, with that reference of every candidate.
        (statistics,) = self._peer._extract_corpus_statistics([candidate], [[reference] for reference in references])
        collected: list[float] = statistics
        return collected

    def _rate(self, totals: Values) -> float:
        # A list of its own: some ways of smoothing add to it.
        return float(self._peer._compute_score_from_stats(totals.tolist()).score)
