"""Metrics that learn from a corpus of captions, fitted before they are probed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.scoring import AnyMetric
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import fit_metric

# What parameters fitted asks nothing of the captions that it is fitted on.
_NOTHING: Final = Batch.make((), candidates=(), references=(), caption_sets=())


@dataclass(frozen=True, slots=True, eq=False)
class FittedMetrics:
    """Metrics of which none waits for a corpus any more.

    Attributes:
        metrics: In the order given.
        signatures: Of those that were fitted, by id, with the corpus named.
    """

    metrics: tuple[AnyMetric, ...]
    signatures: Mapping[str, str]

    def sign(self, metric_id: str, signature: str) -> str:
        """Return the signature with the corpus named, if the metric learned from one."""
        return self.signatures.get(metric_id, signature)


def fit_all(metrics: Iterable[AnyMetric], corpus: Corpus | None, *, rng: np.random.Generator) -> FittedMetrics:
    """Fit the metrics that learn from a corpus of captions, and leave the others as they are.

    Raises:
        ProbeError: A metric learns from a corpus, and there is none.
        MetricError: A metric cannot be fitted.
    """
    fitted: list[AnyMetric] = []
    signatures = {}
    for metric in metrics:
        if not isinstance(metric, Fittable) or metric.info.fits_on not in (FitsOn.CAPTIONS, FitsOn.JUDGMENTS):
            fitted.append(metric)
            continue
        if metric.is_fitted:
            fitted.append(fit_metric(metric, _NOTHING, rng=rng))
            continue
        if metric.info.fits_on is FitsOn.JUDGMENTS:
            raise ProbeError(
                f"metric {metric.info.id!r} learns from judgments: fit it first, and name what it learned by --param"
            )
        if corpus is None:
            raise ProbeError(f"metric {metric.info.id!r} learns from a corpus of captions: pass --corpus FILE")
        fitted.append(fit_metric(metric, corpus.make_batch(metric.info), rng=rng))
        signatures[metric.info.id] = str(metric.signature.name_corpus(corpus.digest))
    return FittedMetrics(metrics=tuple(fitted), signatures=signatures)
