"""The roles that a plugin author can fill: `Metric`, `DecomposableMetric`, `Fittable` and its kind `Trainable`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batch import Batch
from metrics_plugins.api.info import Level, MetricInfo
from metrics_plugins.api.parameters import describe_declared, list_declared, make_build
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.scores import Scores, Values
from metrics_plugins.api.signature import Signature, SignatureValue


class BuildContext(Protocol):
    """What a metric may ask for while it is built; the registry's `Context` is the usual one."""

    @property
    def device(self) -> str:
        """Where tensors go: `cpu`, `cuda`, `cuda:1`, ..."""
        ...

    def get_tokenizer(self, name: str) -> Tokenizer:
        """Return the tokeniser of this name; raises `UnknownTokenizer`."""
        ...

    def get_encoder(self, name: str) -> Encoder:
        """Return the encoder of this name on this device; raises `UnknownEncoder`."""
        ...


class Described(ABC):
    """What `Metric` and `Fittable` have in common: a declaration, parameters and a signature."""

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
        """Return an instance, from the parameters that fields declare (`api.parameters`).

        Override it for parameters that are no fields: each keyword-only, typed and with a default.
        """
        return cls()

    def describe(self) -> Mapping[str, SignatureValue]:
        """Return every choice that can change a score, in the order in which the signature prints it."""
        return describe_declared(self)

    @property
    def precision(self) -> str:
        """The numbers that it computes in, for the record of a run: those of its `encoder`, if it has one."""
        encoder = getattr(self, "encoder", None)
        return "float64" if encoder is None else str(getattr(encoder, "precision", "float32"))

    @property
    def signature(self) -> Signature:
        """The printed identity of this metric's scores."""
        return Signature.make(self.info.id, fields=self.describe(), version=self.info.version)


class Metric(Described):
    """Scores captions. An instance is stateless: the same batch gives the same scores (unless declared otherwise)."""

    @property
    def fitted_on(self) -> frozenset[str]:
        """Keys of the items whose judgments this metric learned from; empty if it learned from none."""
        return frozenset()

    @abstractmethod
    def score(self, batch: Batch) -> Scores:
        """Return one score per row, with the keys of the batch; a corpus-level metric returns one, with any key.

        A row's score must not depend on the other rows. NaN says that the metric is undefined on a row.
        An infinite score is refused: it is counted, and missing like NaN.
        """

    def get_trainable(self) -> "Trainable | None":
        """Return this metric before it learned, if it comes with what it learned and can learn anew; else None."""
        return None

    def summarize(self, scores: Scores) -> float:
        """Return the score of a whole system from the scores of its rows: their mean, NaN left out."""
        return scores.mean


class DecomposableMetric(Metric):
    """A metric that is a function of sums: its system score is computed from totals and not from a mean of scores."""

    n_statistics: ClassVar[int]

    @abstractmethod
    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, n_statistics)`: what is summed over rows before `reduce`."""

    @abstractmethod
    def reduce(self, totals: Values) -> Values:
        """Turn sums of statistics `(..., n_statistics)` into scores `(...)`."""

    def score(self, batch: Batch) -> Scores:
        """Return `reduce` of each row's own statistics; for a corpus-level metric `reduce` of their sum."""
        return self.score_statistics(self.statistics(batch), keys=batch.keys)

    def score_statistics(self, statistics: Values, *, keys: tuple[str, ...]) -> Scores:
        """Return the scores of rows whose statistics are already known."""
        if self.info.level is Level.CORPUS:
            return Scores.make([Level.CORPUS], [self.reduce_corpus(statistics)])
        return Scores(keys=keys, values=self.reduce(statistics))

    def reduce_corpus(self, statistics: Values) -> float:
        """Return the score of all rows together, from `(n_rows, n_statistics)`; NaN for no rows."""
        if not len(statistics):
            return float("nan")
        return float(self.reduce(statistics.sum(axis=0)))


class Fittable(Described):
    """Knowledge to be learned first: `fit` returns the metric that scores. Fitting twice gives equal metrics."""

    @abstractmethod
    def fit(self, batch: Batch, targets: npt.NDArray[np.float64] | None, rng: np.random.Generator) -> Metric:
        """Learn from a batch and return the fitted metric, whose `info` and signature equal this one's.

        Args:
            batch: Holds `info.inputs`; with `FitsOn.REFERENCES` only the references are there.
            targets: `(n_rows,)` mean judgments with `FitsOn.JUDGMENTS`, else None.
            rng: The only source of randomness.
        """

    @property
    def is_fitted(self) -> bool:
        """Whether parameters gave all that it would learn: then `fit` asks nothing of its batch."""
        return False

    @property
    def n_folds(self) -> int:
        """Into how many parts images are cut where rows that were learned from are scored (`cross_fit_metric`)."""
        return 10

    def fit_parts(
        self,
        batch: Batch,
        targets: npt.NDArray[np.float64] | None,
        rng: np.random.Generator,
        *,
        parts: Sequence[npt.NDArray[np.int64]],
    ) -> tuple[Metric, ...]:
        """Return a metric fitted on each of several selections of rows; override it where they can share work.

        Args:
            batch: As for `fit`.
            targets: As for `fit`.
            rng: As for `fit`.
            parts: Row numbers of each selection.
        """
        chosen = [None if targets is None else targets[rows] for rows in parts]
        return tuple(self.fit(batch.select(rows), own, rng) for rows, own in zip(parts, chosen, strict=True))


class Trainable(Fittable):
    """A `Fittable` that learns for long: `train` keeps in a folder what it learned, for a parameter to give back."""

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
        """Learn as `fit` does, and keep what was learned in a folder.

        Killed, it is begun again by the same call, goes on from the last checkpoint in the folder, and ends with the
        same metric; called when it is done, it only reads what is there.

        Args:
            batch: As for `fit`.
            targets: As for `fit`.
            rng: As for `fit`.
            folder: Made if it is not there.
            track: Shows progress.

        Raises:
            MetricError: The folder holds what was learned from something else or in another way.
        """
