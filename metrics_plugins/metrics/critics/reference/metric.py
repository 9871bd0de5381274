"""`critic-reference`: agreement of a caption with its references, in spaces learned from captions alone."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from metrics_plugins.api import Batch, BuildContext, FitsOn, Input, Level, Metric, MetricError, MetricInfo, Scores
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.api.metric import Trainable
from metrics_plugins.api.parameters import add_settings, name_weights
from metrics_plugins.api.paths import EncoderName, FolderPath
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.encoders.weights import MINILM, TORCH
from metrics_plugins.metrics.critics.reference.card import CARD
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head, digest_captions, has_head
from metrics_plugins.metrics.critics.reference.learning import CaptionGroups, learn_head
from metrics_plugins.metrics.critics.reference.parts import SpacedEncoder, measure_parts
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings

CRITIC_REFERENCE: Final = MetricInfo(
    id="critic-reference",
    title="Critic of references",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(float("-inf"), float("inf")),
    version="4",
    citation="Accordance; on Reimers and Gurevych (2019), Zhang et al. (2020), Khattab and Zaharia (2020)",
    resources=(TORCH, MINILM, "a head that learned from captions (one comes with it)"),
    card=CARD,
)
_LEARNER: Final = replace(CRITIC_REFERENCE, fits_on=FitsOn.CAPTIONS)


@dataclass(frozen=True, kw_only=True)
class CriticReference(Metric):
    """A weighted sum of seven measures of agreement of a caption with its references (`parts.measure_parts`).

    They are the mean cosine of sentences (the score of `sentence-cosine`), the cosine to the nearest reference, and
    five of words: precision, recall, the sum of the support of each word less what a true word can expect, the sum of
    their rarity, and precision weighted by rarity. All but the first are computed in spaces learned from captions of
    images without judgments (`learning.learn_head`). Precision, recall and the nearest cosine are limited by the
    agreement of references with each other (`ceilings`). A row without references has no score (NaN). Rows with
    references that were used for training are refused.
    """

    info = CRITIC_REFERENCE

    encoder: TokenEncoder
    folder: Path
    settings: CriticReferenceSettings
    device: str

    @classmethod
    @add_settings(CriticReferenceSettings)
    def build(
        cls,
        context: BuildContext,
        *,
        weights: FolderPath = "",
        encoder: EncoderName = "minilm",
        **chosen: Any,
    ) -> Self:
        """Return the metric with the bundled head, or with one written by `fit`.

        Args:
            context: Provides the encoder.
            weights: A folder written by `fit`; by default the bundled head.
            encoder: The name of an encoder, or a folder; a head can only be used with the encoder it was trained for.
            chosen: The settings of training and of the weights of parts (`CriticReferenceSettings`); a trained head
                has its own.

        Raises:
            MissingResource: The weights of the encoder, or the folder, are missing.
            MetricError: A file is damaged, the head is for another encoder, or a setting is invalid.
        """
        settings = CriticReferenceSettings(**chosen)
        found = context.get_encoder(encoder)
        if not isinstance(found, TokenEncoder):
            raise MetricError(f"metric 'critic-reference': encoder {encoder!r} gives no vectors of tokens")
        metric = cls(encoder=found, folder=Path(weights or BUNDLED), settings=settings, device=context.device)
        if weights:
            # Read the head now, so that errors in it are reported early.
            learned = metric.head.settings
            if settings == CriticReferenceSettings():
                return replace(metric, settings=learned)
        return metric

    @cached_property
    def head(self) -> Head:
        """The trained head, read when it is first used; `fit` does not need it."""
        return Head.read(self.folder)

    def get_trainable(self) -> Trainable:
        return CriticReferenceLearner(encoder=self.encoder, settings=self.settings, device=self.device)

    def describe(self) -> dict[str, SignatureValue]:
        return {"encoder": name_weights(self.encoder), "head": self.head.digest} | self.settings.to_json()

    def score(self, batch: Batch) -> Scores:
        """Return the agreement of each row; raises as `measure` does."""
        # Not a matrix product, whose rounding depends on the number of rows.
        values = (self.measure(batch) * self.head.shares).sum(axis=1)
        return Scores(keys=batch.keys, values=values)

    def measure(self, batch: Batch) -> Values:
        """Return `(n_rows, 7)`: the parts of the score, as in `measure_parts`.

        Raises:
            FittedOnEvaluation: The head was trained on the references of a row.
            MetricError: The head is for another encoder, or was trained with other settings than those given.
        """
        if self.settings != self.head.settings:
            raise MetricError(
                f"metric 'critic-reference': the head in {self.folder} has the settings of its training; "
                "to use others, fit a head"
            )
        if self.encoder.digest != self.head.encoder:
            raise MetricError(
                f"metric 'critic-reference': its head learned on an encoder of digest {self.head.encoder}, and "
                f"{self.encoder.name!r} has {self.encoder.digest}: fit a head on this one"
            )
        self._refuse_learned(batch)
        spaced = SpacedEncoder(self.encoder, self.head.sentences, self.head.tokens, self.head.digest)
        return measure_parts(batch, spaced, self.head.vocabulary)

    def _refuse_learned(self, batch: Batch) -> None:
        references = batch.reference_rows
        if not len(references.values):
            return
        digests = batch.derive_texts("caption digests", digest_captions)
        is_learned = np.isin(digests, self.head.learned)[references.values]
        n_learned = np.bincount(references.row_of_value, weights=is_learned, minlength=len(references))
        # "a man riding a wave" is a caption of many images: one training caption among the references may be chance.
        is_refused = (n_learned > 1) & (n_learned > references.lengths / 2)
        if is_refused.any():
            first = int(np.flatnonzero(is_refused)[0])
            raise FittedOnEvaluation(
                f"metric 'critic-reference' learned from most of the references of {int(is_refused.sum())} of these "
                f"{len(batch)} rows (such as {batch.keys[first]!r}): fit a head without them",
                rows=np.flatnonzero(is_refused).tolist(),
            )


@dataclass(frozen=True, kw_only=True)
class CriticReferenceLearner(Trainable):
    """`critic-reference` before training."""

    info = _LEARNER

    encoder: TokenEncoder
    settings: CriticReferenceSettings
    device: str

    def describe(self) -> dict[str, SignatureValue]:
        return {"encoder": name_weights(self.encoder)} | self.settings.to_json()

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> CriticReference:
        """Return the metric trained on the references of a batch.

        Raises:
            MetricError: There are too few references, or a number is not finite.
        """
        groups = CaptionGroups.gather(batch)
        fitted = CriticReference(encoder=self.encoder, folder=BUNDLED, settings=self.settings, device=self.device)
        vars(fitted)["head"] = self._learn(groups, _draw_seed(rng), track=pass_on)
        return fitted

    def train(
        self,
        batch: Batch,
        targets: Values | None,
        rng: np.random.Generator,
        *,
        folder: Path,
        track: Track = pass_on,
    ) -> CriticReference:
        """Train a head and store it in a folder; a folder with a head for these captions and settings is read instead.

        An interrupted training leaves no head and starts again; sentence vectors cached in ACCORDANCE_EMBEDDINGS are
        reused.
        """
        groups = CaptionGroups.gather(batch)
        seed = _draw_seed(rng)
        if has_head(folder):
            head = Head.read(folder)
            made = (head.made_of["captions"], head.made_of["seed"], head.encoder, head.settings)
            if made != (groups.digest, seed, self.encoder.digest, self.settings):
                raise MetricError(f"{folder}: contains a head trained on other captions or with other settings")
        else:
            self._learn(groups, seed, track=track).write(folder)
        return CriticReference(encoder=self.encoder, folder=folder, settings=self.settings, device=self.device)

    def _learn(self, groups: CaptionGroups, seed: int, *, track: Track) -> Head:
        from metrics_plugins.encoders.devices import choose_device

        device = choose_device(self.device)
        return learn_head(groups, self.encoder, self.settings, seed=seed, device=device, track=track)


def _draw_seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**32))
