"""The base classes for plugin authors: `Metric`, `DecomposableMetric`, `Fittable` and `Trainable`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.info import Level, MetricInfo
from metrics_plugins.api.parameters import describe_declared, list_declared, make_build
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.scores import Scores, Values
from metrics_plugins.api.signature import Signature, SignatureValue


class BuildContext(Protocol):
    """What is available to a metric while it is built; usually the registry's `Context`."""

    @property
    def device(self) -> str:
        """The device of tensors: `cpu`, `cuda`, `cuda:1`, ..."""
        ...

    def get_tokenizer(self, name: str) -> Tokenizer:
        """Return the tokeniser of this name; raises `UnknownTokenizer`."""
        ...

    def get_encoder(self, name: str) -> Encoder:
        """Return the encoder of this name on this device; raises `UnknownEncoder`."""
        ...


class Described(ABC):
    """The common base of `Metric` and `Fittable`: a declaration, parameters and a signature."""

    info: ClassVar[MetricInfo]
    _has_own_build: ClassVar[bool] = False

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "build" in vars(cls):
            cls._has_own_build = True
        elif not cls._has_own_build and list_declared(cls):
            cls.build = make_build(cls)  # type: ignore[method-assign]  # with the parameters of this class

    @classmethod
    def build(cls, context: BuildContext) -> Self:
        """Return an instance built from the parameters that fields declare (`api.parameters`).

        Override it for parameters that are not fields: each must be keyword-only, annotated and have a default.
        """
        return cls()

    def describe(self) -> Mapping[str, SignatureValue]:
        """Return all parameters that can change a score, in the order in which the signature prints them."""
        return describe_declared(self)

    @property
    def precision(self) -> str:
        """The number format of the computation, for the record of a run: that of its `encoder`, if it has one."""
        encoder = getattr(self, "encoder", None)
        return "float64" if encoder is None else str(getattr(encoder, "precision", "float32"))

    @property
    def signature(self) -> Signature:
        """The signature of this metric's scores."""
        return Signature.make(self.info.id, fields=self.describe(), version=self.info.version)


class Metric(Described):
    """Scores captions. Instances are stateless: a batch always gets the same scores, unless declared otherwise."""

    @property
    def fitted_on(self) -> frozenset[str]:
        """The keys of the items whose judgments this metric learned from; empty if there are none."""
        return frozenset()

    @abstractmethod
    def score(self, batch: Batch) -> Scores:
        """Return one score per row, with the keys of the batch; a corpus-level metric returns one, with any key.

        A row's score must not depend on the other rows. NaN means that the metric is undefined for a row.
        Infinite scores are not allowed: they are counted and treated as missing.
        """

    def get_trainable(self) -> "Trainable | None":
        """Return an unfitted version of a pretrained metric that can be trained again, or None."""
        return None

    def summarize(self, scores: Scores) -> float:
        """Return the score of a system from the scores of its rows: by default their mean without NaN."""
        return scores.mean


class DecomposableMetric(Metric):
    """A metric computed from sums of row statistics; its system score uses the totals, not the mean of row scores."""

    n_statistics: ClassVar[int]

    @abstractmethod
    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, n_statistics)`: the statistics that are summed over rows before `reduce`."""

    @abstractmethod
    def reduce(self, totals: Values) -> Values:
        """Return the scores `(...)` for sums of statistics `(..., n_statistics)`."""

    def score(self, batch: Batch) -> Scores:
        """Return `reduce` of each row's statistics; for a corpus-level metric, `reduce` of their sum."""
        return self.score_statistics(self.statistics(batch), keys=batch.keys)

    def score_statistics(self, statistics: Values, *, keys: tuple[str, ...]) -> Scores:
        """Return the scores of rows from their statistics."""
        if self.info.level is Level.CORPUS:
            return Scores.make([Level.CORPUS], [self.reduce_corpus(statistics)])
        return Scores(keys=keys, values=self.reduce(statistics))

    def keep_counted(self, statistics: Values) -> Values:
        """Return `(n_counted, n_statistics)`: the rows of statistics that count for their system, by default all."""
        return statistics

    def reduce_corpus(self, statistics: Values) -> float:
        """Return the score of all rows together, from `(n_rows, n_statistics)`; NaN if no row counts.

        Override `keep_counted` rather than this method: from tables larger than memory only totals are kept.
        """
        counted = self.keep_counted(statistics)
        if not len(counted):
            return float("nan")
        return float(self.reduce(counted.sum(axis=0)))


class Fittable(Described):
    """A metric that must be fitted: `fit` returns the metric that scores. Fitting twice gives equal metrics."""

    @abstractmethod
    def fit(self, batch: Batch, targets: npt.NDArray[np.float64] | None, rng: np.random.Generator) -> Metric:
        """Fit on a batch and return the fitted metric, which has the same `info` and signature.

        Args:
            batch: Rows with `info.inputs`; with `FitsOn.REFERENCES` only the references are available.
            targets: `(n_rows,)` mean judgments with `FitsOn.JUDGMENTS`, else None.
            rng: The only source of randomness.
        """

    @property
    def is_fitted(self) -> bool:
        """Whether the parameters already provide all that `fit` would learn, so that it does not use its batch."""
        return False

    @property
    def n_folds(self) -> int:
        """The number of folds of images for cross-fitting (`cross_fit_metric`)."""
        return 10

    def fit_parts(
        self,
        batch: Batch,
        targets: npt.NDArray[np.float64] | None,
        rng: np.random.Generator,
        *,
        parts: Sequence[npt.NDArray[np.int64]],
    ) -> tuple[Metric, ...]:
        """Return a metric fitted on each of several selections of rows; override it to share work between them.

        Args:
            batch: As for `fit`.
            targets: As for `fit`.
            rng: As for `fit`.
            parts: The row numbers of each selection.
        """
        chosen = [None if targets is None else targets[rows] for rows in parts]
        return tuple(self.fit(batch.select(rows), own, rng) for rows, own in zip(parts, chosen, strict=True))


class StreamFittable(Fittable):
    """A `Fittable` that can also be fitted on more rows than fit into memory."""

    @abstractmethod
    def fit_stream(self, batches: Iterable[Batch], rng: np.random.Generator, *, folder: Path) -> Metric:
        """Fit on all rows of several batches, and return the very metric that `fit` returns for one batch of them.

        Args:
            batches: Read once, one after the other; with the columns that `fit` may read.
            rng: As for `fit`.
            folder: An empty folder for files that are needed while fitting; the caller deletes it.
        """


class Trainable(Fittable):
    """A `Fittable` with long training: `train` saves its result in a folder that can be given as a parameter."""

    @abstractmethod
    def train(
        self,
        batch: Batch,
        targets: npt.NDArray[np.float64] | None,
        rng: np.random.Generator,
        *,
        folder: Path,
        track: Track = pass_on,
    ) -> Metric:
        """Fit as `fit` does, and save the result in a folder.

        After an interruption, the same call resumes from the last checkpoint in the folder and ends with the same
        metric. Once training is complete, the call only loads the result.

        Args:
            batch: As for `fit`.
            targets: As for `fit`.
            rng: As for `fit`.
            folder: Created if it does not exist.
            track: Displays progress.

        Raises:
            MetricError: The folder contains the result of training on other data or with other parameters.
        """
