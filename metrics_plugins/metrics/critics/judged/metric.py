"""`critic-judgments`, which predicts human judgments after fitting on judgments of other captions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, BuildContext, FitsOn, Input, Level, Metric, MetricError, MetricInfo, Scores
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.api.metric import Trainable
from metrics_plugins.api.parameters import add_settings
from metrics_plugins.api.paths import FolderPath
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.encoders.weights import MINILM, TORCH
from metrics_plugins.metrics.critics.judged.card import CARD
from metrics_plugins.metrics.critics.judged.features import FeatureReader
from metrics_plugins.metrics.critics.judged.learned import Learned, has_learned
from metrics_plugins.metrics.critics.judged.ridge import fit_ridge
from metrics_plugins.metrics.critics.judged.settings import CriticJudgmentsSettings
from metrics_plugins.metrics.meteor.sources import METEOR_DATA

CRITIC_JUDGMENTS: Final = MetricInfo(
    id="critic-judgments",
    title="Critic of judgments",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY}),
    higher_is_better=True,
    bounds=(float("-inf"), float("inf")),
    version="2",
    citation="Accordance; on Hoerl and Kennard (1970), Ridge regression",
    fits_on=FitsOn.JUDGMENTS,
    resources=(TORCH, replace(MINILM, unless=""), METEOR_DATA, "judgments to learn from"),
    card=CARD,
)
_NAME: Final = "metric 'critic-judgments'"


@dataclass(frozen=True, kw_only=True)
class FittedCriticJudgments(Metric):
    """The predicted mean judgment, on the scale of the judgments used for fitting; NaN for a row without references.

    Rows of images whose judgments were used for fitting are refused, whatever their keys.
    """

    info = CRITIC_JUDGMENTS

    reader: FeatureReader
    learned: Learned = field(repr=False)
    described: tuple[tuple[str, SignatureValue], ...]

    @property
    def fitted_on(self) -> frozenset[str]:
        return self.learned.keys

    def describe(self) -> dict[str, SignatureValue]:
        return dict(self.described)

    def score(self, batch: Batch) -> Scores:
        """Return the predicted judgment of each row.

        Raises:
            FittedOnEvaluation: Judgments of an image in the batch were used for fitting.
        """
        known = self.learned.images.intersection(batch.image_keys)
        if known:
            raise FittedOnEvaluation(
                f"{_NAME} learned from judgments of {len(known)} of the images of these {len(batch)} rows (such as "
                f"{min(known)!r}): its agreement with people there would be overestimated; cross-fit it",
                rows=[row for row, image in enumerate(batch.image_keys) if image in known],
            )
        values = self.learned.ridge.predict(self.reader.measure(batch))
        values[batch.reference_rows.lengths == 0] = np.nan
        return Scores(keys=batch.keys, values=values)


@dataclass(frozen=True, kw_only=True)
class CriticJudgments(Trainable):
    """A regression of human judgments on measures of agreement of a caption with its references."""

    info = CRITIC_JUDGMENTS

    reader: FeatureReader
    settings: CriticJudgmentsSettings
    learned: Learned | None = field(default=None, repr=False)

    @classmethod
    @add_settings(CriticJudgmentsSettings)
    def build(cls, context: BuildContext, *, weights: FolderPath = "", **chosen: Any) -> Self:
        """Return a critic with these settings (`CriticJudgmentsSettings`), or a fitted one.

        `weights` is a folder written by `fit`, with which no other parameter may be given.

        Raises:
            MissingResource: The weights of the encoder, WordNet or the folder is missing.
            MetricError: A setting is invalid, the file is damaged, or it was fitted with other features.
        """
        settings = CriticJudgmentsSettings(**chosen)
        if not weights:
            return cls(reader=FeatureReader.build(context, settings), settings=settings)
        if settings != CriticJudgmentsSettings():
            raise MetricError(f"{_NAME}: no other parameter may be set with `weights`, which include their settings")
        learned = Learned.load(Path(weights))
        reader = FeatureReader.build(context, learned.settings)
        if dict(learned.read) != reader.describe():
            raise MetricError(
                f"{_NAME}: what is kept in {weights} learned from features of {learned.read}, and they are now of "
                f"{reader.describe()}: fit it again"
            )
        return cls(reader=reader, settings=learned.settings, learned=learned)

    @property
    def is_fitted(self) -> bool:
        return self.learned is not None

    @property
    def precision(self) -> str:
        return self.reader.critic.precision

    @property
    def n_folds(self) -> int:
        return self.settings.folds

    def describe(self) -> dict[str, SignatureValue]:
        described = self.settings.describe() | self.reader.describe()
        return described | ({"weights": self.learned.digest} if self.learned else {})

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedCriticJudgments:
        """Return the metric fitted on these judgments, or the one from `weights`; `rng` is not used.

        Raises:
            MetricError: A judgment is not finite, or there are none.
            FittedOnEvaluation: The head of `critic-reference` was trained on the references of a row.
        """
        return self.fit_parts(batch, targets, rng, parts=[np.arange(len(batch))])[0]

    def fit_parts(
        self,
        batch: Batch,
        targets: Values | None,
        rng: np.random.Generator,
        *,
        parts: Sequence[npt.NDArray[np.int64]],
    ) -> tuple[FittedCriticJudgments, ...]:
        """Return a metric fitted on each selection of rows; features are measured once."""
        if self.learned:
            return tuple(self._make_fitted(self.learned) for _ in parts)
        measured = self.reader.measure(batch)
        return tuple(self._make_fitted(self._learn(batch, targets, measured, rows)) for rows in parts)

    def train(
        self,
        batch: Batch,
        targets: Values | None,
        rng: np.random.Generator,
        *,
        folder: Path,
        track: Track = pass_on,
    ) -> FittedCriticJudgments:
        """Fit the metric and store it in a folder; a folder with a fitted one is read instead."""
        if self.learned:
            raise MetricError(f"{_NAME} is already fitted: omit `weights` to fit it")
        rows = np.arange(len(batch))
        if has_learned(folder):
            learned = Learned.load(folder)
            made = (learned.made_of["judgments"], learned.settings, dict(learned.read))
            if made != (_digest(batch, targets), self.settings, self.reader.describe()):
                raise MetricError(f"{folder}: contains a metric fitted on other judgments or with other settings")
        else:
            learned = self._learn(batch, targets, self.reader.measure(batch), rows)
            learned.write(folder)
        return CriticJudgments(reader=self.reader, settings=self.settings, learned=learned)._make_fitted(learned)

    def _learn(self, batch: Batch, targets: Values | None, measured: Values, rows: npt.NDArray[np.int64]) -> Learned:
        if targets is None:
            raise MetricError(f"{_NAME} learns from judgments, and there are none")
        part = batch.select(rows)
        ridge = fit_ridge(
            measured[rows],
            targets[rows],
            part.image_keys,
            degree=self.settings.degree,
            alpha=self.settings.alpha,
            n_folds=self.settings.folds,
        )
        return Learned(
            settings=self.settings,
            read=self.reader.describe(),
            ridge=ridge,
            images=frozenset(part.image_keys),
            keys=frozenset(part.keys),
            made_of={
                "judgments": _digest(part, targets[rows]),
                "n_rows": len(part),
                "n_images": len(set(part.image_keys)),
                "numpy": version("numpy"),
            },
        )

    def _make_fitted(self, learned: Learned) -> FittedCriticJudgments:
        return FittedCriticJudgments(reader=self.reader, learned=learned, described=tuple(self.describe().items()))


def _digest(batch: Batch, targets: Values | None) -> str:
    return "" if targets is None else JudgedRows(batch, targets).digest
