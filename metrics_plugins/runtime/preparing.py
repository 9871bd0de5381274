"""A metric made ready to score: built, signed with what it learns from, and fitted when it is first needed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Metric, MetricInfo
from metrics_plugins.api.judged import JudgedRows
from metrics_plugins.api.signature import Signature
from metrics_plugins.runtime import fit_metric, fit_on_judgments
from metrics_plugins.runtime.cross_fitting import name_judgments


def is_fitted(metric: Metric | Fittable) -> bool:
    """Tell whether parameters gave a metric all that it would learn."""
    return isinstance(metric, Fittable) and metric.is_fitted


class FittingCorpus(Protocol):
    """Captions that a metric may learn from; `digest` identifies them."""

    @property
    def digest(self) -> str: ...

    def make_batch(self, info: MetricInfo) -> Batch:
        """Return them as a metric reads them."""
        ...


@dataclass(frozen=True)
class Learning:
    """What the metrics of one input may learn from.

    Attributes:
        make_documents: Returns the rows of the input that a metric is fitted on; called once and only if needed.
        corpus: Captions for metrics that learn from captions; None if none were named.
        judged: Judged rows for metrics that learn from judgments; None if there are none.
        scored_images: The keys of the images of all rows that are scored.
        seed: Of what metrics draw while they are fitted.
    """

    make_documents: Callable[[], Batch]
    corpus: FittingCorpus | None = None
    judged: JudgedRows | None = None
    scored_images: frozenset[str] = frozenset()
    seed: int = 0

    @cached_property
    def documents(self) -> Batch:
        return self.make_documents()


@dataclass(frozen=True, eq=False)
class PreparedMetric:
    """A metric of one input; it is fitted when it first has to score.

    Attributes:
        built: As the registry built it.
        learning: What it may learn from.
    """

    built: Metric | Fittable
    learning: Learning

    @property
    def learns_from(self) -> FitsOn:
        """What it has yet to learn from."""
        is_fitted = not isinstance(self.built, Fittable) or self.built.is_fitted
        return FitsOn.NOTHING if is_fitted else self.built.info.fits_on

    @property
    def is_fitted(self) -> bool:
        return is_fitted(self.built)

    @property
    def precision(self) -> str:
        return self.built.precision

    @property
    def signature(self) -> str:
        """What identifies the scores, with the corpus or the judgments that are learned from."""
        return str(self.name_learned(self.built.signature))

    def name_learned(self, signature: Signature) -> Signature:
        """Return a signature that names the corpus or the judgments, where the metric learns from one."""
        learning = self.learning
        if self.learns_from is FitsOn.JUDGMENTS and learning.judged:
            return name_judgments(signature, learning.judged, scored=learning.scored_images)
        if self.learns_from is FitsOn.CAPTIONS and learning.corpus:
            return signature.name_corpus(learning.corpus.digest)
        return signature

    @cached_property
    def ready(self) -> Metric:
        """The metric that scores."""
        if not isinstance(self.built, Fittable):
            return self.built
        learning, rng = self.learning, np.random.default_rng(self.learning.seed)
        if self.learns_from is FitsOn.JUDGMENTS and learning.judged:
            return fit_on_judgments(self.built, learning.judged, scored=learning.scored_images, rng=rng)
        if self.learns_from is FitsOn.CAPTIONS and learning.corpus:
            return fit_metric(self.built, learning.corpus.make_batch(self.built.info), rng=rng)
        return fit_metric(self.built, learning.documents, rng=rng)
