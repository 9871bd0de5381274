"""Fitting of metrics that need a corpus of captions, before they are probed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.scoring import AnyMetric
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import fit_metric

# Metrics that are fitted by their parameters need no captions.
_NOTHING: Final = Batch.make((), candidates=(), references=(), caption_sets=())


@dataclass(frozen=True, slots=True, eq=False)
class FittedMetrics:
    """Metrics that need no corpus any more.

    Attributes:
        metrics: The metrics in the order given.
        signatures: The signatures of those that were fitted here, by id, with the corpus.
    """

    metrics: tuple[AnyMetric, ...]
    signatures: Mapping[str, str]

    def sign(self, metric_id: str, signature: str) -> str:
        """Return the signature, with the corpus if the metric was fitted on one."""
        return self.signatures.get(metric_id, signature)


def fit_all(metrics: Iterable[AnyMetric], corpus: Corpus | None, *, rng: np.random.Generator) -> FittedMetrics:
    """Fit the metrics that need a corpus of captions; others are unchanged.

    Raises:
        ProbeError: A metric needs a corpus, and none is given.
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
