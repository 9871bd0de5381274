"""Prepare metrics for scoring: build them, complete their signature and fit them when first needed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Metric, MetricInfo
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.api.signature import Signature
from metrics_plugins.runtime import fit_metric, fit_on_judgments
from metrics_plugins.runtime.cross_fitting import name_judgments
from metrics_plugins.runtime.running import fit_on_stream


def is_fitted(metric: Metric | Fittable) -> bool:
    """Return whether a metric needs no fitting, because its parameters provide all it would learn."""
    return isinstance(metric, Fittable) and metric.is_fitted


class FittingCorpus(Protocol):
    """Captions that metrics may learn from, identified by `digest`."""

    @property
    def digest(self) -> str: ...

    def make_batch(self, info: MetricInfo) -> Batch:
        """Return the captions as a batch that the metric can read."""
        ...


@dataclass(frozen=True)
class DocumentStream:
    """Rows to learn from, in parts.

    Attributes:
        make_batches: Returns the rows as batches, from the first row at each call.
        folder: An existing folder for temporary files.
    """

    make_batches: Callable[[], Iterator[Batch]]
    folder: Path


@dataclass(frozen=True)
class Learning:
    """What the metrics of one input may learn from.

    Attributes:
        make_documents: Returns the rows of the input that metrics are fitted on; called at most once, when needed.
        corpus: Captions for metrics that learn from captions; None if none were given.
        judged: Judged rows for metrics that learn from judgments; None if there are none.
        scored_images: The image keys of all rows to be scored.
        seed: The seed of the random generator for fitting.
        stream: The rows of `make_documents` in parts, where these are more than fit into memory; None elsewhere. A
            metric that is not `StreamFittable` cannot learn from them.
    """

    make_documents: Callable[[], Batch]
    corpus: FittingCorpus | None = None
    judged: JudgedRows | None = None
    scored_images: frozenset[str] = frozenset()
    seed: int = 0
    stream: DocumentStream | None = None

    @cached_property
    def documents(self) -> Batch:
        return self.make_documents()


@dataclass(frozen=True, eq=False)
class PreparedMetric:
    """A metric for one input, fitted when it first has to score.

    Attributes:
        built: The metric as the registry built it.
        learning: What the metric may learn from.
    """

    built: Metric | Fittable
    learning: Learning

    @property
    def learns_from(self) -> FitsOn:
        """What the metric must still be fitted on."""
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
        """The signature of the scores, including the corpus or judgments that the metric learns from."""
        return str(self.name_learned(self.built.signature))

    def name_learned(self, signature: Signature) -> Signature:
        """Return the signature with the corpus or judgments added, if the metric learns from them."""
        learning = self.learning
        if self.learns_from is FitsOn.JUDGMENTS and learning.judged:
            return name_judgments(signature, learning.judged, scored=learning.scored_images)
        if self.learns_from is FitsOn.CAPTIONS and learning.corpus:
            return signature.name_corpus(learning.corpus.digest)
        return signature

    @cached_property
    def ready(self) -> Metric:
        """The metric that can score, fitted if necessary."""
        if not isinstance(self.built, Fittable):
            return self.built
        learning, rng = self.learning, np.random.default_rng(self.learning.seed)
        if self.learns_from is FitsOn.JUDGMENTS and learning.judged:
            return fit_on_judgments(self.built, learning.judged, scored=learning.scored_images, rng=rng)
        if self.learns_from is FitsOn.CAPTIONS and learning.corpus:
            return fit_metric(self.built, learning.corpus.make_batch(self.built.info), rng=rng)
        if learning.stream is not None and not self.built.is_fitted:
            return fit_on_stream(self.built, learning.stream.make_batches(), rng=rng, folder=learning.stream.folder)
        return fit_metric(self.built, learning.documents, rng=rng)
