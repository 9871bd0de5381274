"""`critic-lstm`: the probability that a caption was written by a person, from an LSTM (Cui et al. 2018)."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from metrics_plugins.api import Batch, BuildContext, FitsOn, Input, Level, Metric, MetricError, MetricInfo, Scores
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.api.metric import Trainable
from metrics_plugins.api.parameters import add_settings
from metrics_plugins.api.paths import ArchiveMembers, FilePath, FolderPath
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.resources import Resource
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.encoders.devices import choose_device
from metrics_plugins.encoders.weights import Precision, find_package, split_precision
from metrics_plugins.metrics.critics.lstm.card import CARD
from metrics_plugins.metrics.critics.lstm.model.captions import TOKENIZER, TrainingCaptions, split_captions
from metrics_plugins.metrics.critics.lstm.model.features import ImageFeatures
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.lstm.model.weights import Weights
from metrics_plugins.metrics.embedding.cosines import average_rows
from metrics_plugins.readers import Corpus, InputError, read_corpus
from metrics_plugins.text.vocabulary import MARKS, Vocabulary

if TYPE_CHECKING:
    from metrics_plugins.metrics.critics.lstm.scoring import CriticScorer

_TORCH: Final = Resource("PyTorch", modules=("torch", "safetensors"), extras=("critics",))
CRITIC_LSTM: Final = MetricInfo(
    id="critic-lstm",
    title="Learned critic",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY}),
    higher_is_better=True,
    bounds=(0.0, 1.0),
    version="1",
    citation="Cui et al. (2018), Learning to evaluate image captioning",
    fits_on=FitsOn.CAPTIONS,
    resources=(_TORCH, "weights of its own or captions to learn from"),
    card=CARD,
)


@dataclass(frozen=True, kw_only=True)
class FittedCritic(Metric):
    """A trained critic: P(human), the mean over the references, within [0, 1].

    A row without references has no score (NaN) if the context uses them. Rows of images whose captions were used for
    training are refused.
    """

    info = CRITIC_LSTM

    weights: Weights = field(repr=False)
    features: ImageFeatures | None = field(repr=False)
    tokenizer: Tokenizer
    device: str
    computes_in: Precision
    described: tuple[tuple[str, SignatureValue], ...]

    @property
    def precision(self) -> str:
        return self.computes_in

    def describe(self) -> dict[str, SignatureValue]:
        return dict(self.described)

    def __getstate__(self) -> dict[str, Any]:
        # The network is not pickled; it is rebuilt from the weights after unpickling.
        return {name: value for name, value in vars(self).items() if name != "_scorer"}

    @cached_property
    def _scorer(self) -> "CriticScorer":
        import torch

        from metrics_plugins.metrics.critics.lstm.model.network import CriticNetwork
        from metrics_plugins.metrics.critics.lstm.scoring import CriticScorer

        network = CriticNetwork(
            self.weights.settings,
            n_words=len(self.weights.vocabulary),
            dimension=self.weights.tensors["embedding.weight"].shape[1],
            image_dimension=self.features.dimension if self.features else 0,
        )
        network.load_state_dict({name: torch.tensor(values) for name, values in self.weights.tensors.items()})
        return CriticScorer(network, device=torch.device(choose_device(self.device)), precision=self.computes_in)

    def score(self, batch: Batch) -> Scores:
        """Return P(human) of each row.

        Raises:
            FittedOnEvaluation: Captions of an image in the batch were used for training.
            MetricError: An image has no features, and the context uses them.
        """
        self._refuse_learned(batch)
        name = ("critic-lstm", self.weights.digest, self.device, self.computes_in)
        vectors = batch.derive_texts(name, self._read)
        settings = self.weights.settings
        rows, references = np.arange(len(batch)), None
        if settings.reads_references:
            rows, references = batch.reference_rows.row_of_value, batch.reference_rows.values
        judged = np.column_stack([batch.candidate_rows[rows], rows if references is None else references])
        if settings.reads_images:
            judged = np.column_stack([judged, rows])
        distinct, places = np.unique(judged, axis=0, return_inverse=True)
        images = None
        if settings.reads_images and self.features is not None:
            images = self.features.get([batch.image_keys[row] for row in distinct[:, 2].tolist()])
        beside = None if references is None else vectors[distinct[:, 1]]
        probabilities = self._scorer.judge(vectors[distinct[:, 0]], references=beside, images=images)
        return Scores(keys=batch.keys, values=average_rows(probabilities[places.reshape(-1)], rows, n_rows=len(batch)))

    def _read(self, texts: Any) -> np.ndarray:
        settings, vocabulary = self.weights.settings, self.weights.vocabulary
        lines = split_captions(texts, self.tokenizer)
        return self._scorer.read(vocabulary.encode(lines, steps=settings.steps, long=settings.long))

    def _refuse_learned(self, batch: Batch) -> None:
        learned = self.weights.image_ids.intersection(batch.image_keys)
        if learned:
            raise FittedOnEvaluation(
                f"metric 'critic-lstm' learned from captions of {len(learned)} of the images of these {len(batch)} "
                f"rows (such as {min(learned)!r}): its scores of them would be too good; fit it without them",
                rows=[row for row, image in enumerate(batch.image_keys) if image in learned],
            )


@dataclass(frozen=True, kw_only=True)
class CriticLstm(Trainable):
    """The critic of Cui et al. (2018), to be trained on captions, or with the weights of an earlier training."""

    info = CRITIC_LSTM

    settings: CriticSettings
    tokenizer: Tokenizer
    device: str
    features: ImageFeatures | None = field(default=None, repr=False)
    vectors: Encoder | None = field(default=None, repr=False)
    samples: Corpus | None = field(default=None, repr=False)
    weights: Weights | None = field(default=None, repr=False)
    computes_in: Precision = "float32"

    @classmethod
    @add_settings(CriticSettings)
    def build(
        cls,
        context: BuildContext,
        *,
        weights: FolderPath = "",
        features: FilePath = "",
        samples: ArchiveMembers = "",
        **chosen: Any,
    ) -> Self:
        """Return a critic with these settings, which are described in `CriticSettings`.

        `weights` is a folder written by `fit`: the critic is then trained, and of the other parameters only `features`
        may be given; with the suffix `@bfloat16` it scores in that precision. `features` is an `.npz` file of image
        vectors (`ImageFeatures`), and `samples` a file of captions sampled from a caption model, in a format of
        `read_corpus`.

        Raises:
            MissingResource: PyTorch, word vectors or a file is missing.
            MetricError: A setting is invalid, or a file is damaged.
        """
        settings = CriticSettings(**chosen)
        shown = ImageFeatures.read(Path(features)) if features else None
        made: dict[str, Any] = {"tokenizer": context.get_tokenizer(TOKENIZER), "device": context.device}
        for package in _TORCH.modules:
            find_package(package, wanted_for="metric 'critic-lstm'")
        if weights:
            folder, precision = split_precision(weights, what="weights")
            learned = _read_weights(Path(folder), settings, samples=samples)
            _require_features(learned.settings, shown)
            return cls(settings=learned.settings, features=shown, weights=learned, computes_in=precision, **made)
        _require_features(settings, shown)
        sampled = _read_samples(samples)
        start = None if settings.vectors == "random" else context.get_encoder(settings.vectors)
        return cls(settings=settings, features=shown, vectors=start, samples=sampled, **made)

    @property
    def is_fitted(self) -> bool:
        return self.weights is not None

    @property
    def precision(self) -> str:
        return self.computes_in

    def describe(self) -> dict[str, SignatureValue]:
        features = {"features": self.features.digest} if self.features else {}
        if self.weights:
            return _describe_learned(self.weights, self.tokenizer, precision=self.computes_in) | features
        described = self.settings.describe() | features
        if self.vectors:
            described["vectors"] = f"{self.vectors.name}+{self.vectors.digest}"
        if self.samples:
            described["samples"] = self.samples.digest
        return described | {"tok": self.tokenizer.name}

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedCritic:
        """Return a critic trained on the captions of a batch, or the one from `weights`.

        References are human captions, and so are candidates among the references of their row; all other candidates
        are machine captions.

        Raises:
            MetricError: There are no training examples, or a loss is not finite.
        """
        weights = self.weights or self._learn(batch, rng, folder=None, track=pass_on)
        return self._make_fitted(weights, self.describe())

    def train(
        self,
        batch: Batch,
        targets: Values | None,
        rng: np.random.Generator,
        *,
        folder: Path,
        track: Track = pass_on,
    ) -> FittedCritic:
        weights = self._learn(batch, rng, folder=folder, track=track)
        return self._make_fitted(weights, _describe_learned(weights, self.tokenizer, precision=self.computes_in))

    def _make_fitted(self, weights: Weights, described: dict[str, SignatureValue]) -> FittedCritic:
        return FittedCritic(
            weights=weights,
            features=self.features,
            tokenizer=self.tokenizer,
            device=self.device,
            computes_in=self.computes_in,
            described=tuple(described.items()),
        )

    def _learn(self, batch: Batch, rng: np.random.Generator, *, folder: Path | None, track: Track) -> Weights:
        import torch

        from metrics_plugins.metrics.critics.lstm.training.learning import Material, learn

        if self.weights:
            raise MetricError("metric 'critic-lstm' is already fitted: omit `weights` to fit it")
        samples = self.samples.captions if self.samples else {}
        captions = TrainingCaptions.gather(batch, self.tokenizer, samples=samples)
        vocabulary = Vocabulary.count(captions.list_lines(), size=self.settings.words)
        material = Material(captions, vocabulary, self._find_vectors(vocabulary), self.features)
        device = torch.device(choose_device(self.device))
        seed = int(rng.integers(2**32))
        return learn(material, self.settings, seed=seed, device=device, folder=folder, track=track)

    def _find_vectors(self, vocabulary: Vocabulary) -> np.ndarray | None:
        """Return `(n_words, dimension)`: the vector of each word; for unknown words that of "unk", or zeros."""
        if self.vectors is None:
            return None
        vectors = self.vectors.encode(["unk", *vocabulary.words])
        unknown = np.nan_to_num(vectors[0], nan=0.0)
        marks = np.repeat(unknown[None, :], len(MARKS), axis=0)
        found = vectors[1:].copy()
        found[np.isnan(found).any(axis=1)] = unknown
        return np.concatenate([marks, found]).astype(np.float32)


def _read_weights(folder: Path, settings: CriticSettings, *, samples: str) -> Weights:
    if samples or settings != CriticSettings():
        raise MetricError(
            f"metric 'critic-lstm' with weights has the settings of its training (see {folder}/critic.json): "
            "only `features` may be set with `weights`"
        )
    return Weights.read(folder)


def _read_samples(names: str) -> Corpus | None:
    try:
        return read_corpus(names) if names else None
    except InputError as error:
        raise MetricError(str(error)) from error


def _require_features(settings: CriticSettings, features: ImageFeatures | None) -> None:
    if settings.reads_images and features is None:
        raise MetricError(f"metric 'critic-lstm' with beside={settings.beside!r} needs image vectors: set `features`")


def _describe_learned(weights: Weights, tokenizer: Tokenizer, *, precision: Precision) -> dict[str, SignatureValue]:
    settings = weights.settings
    # The default precision is not printed, so that existing signatures stay the same.
    digest = weights.digest if precision == "float32" else f"{weights.digest}@{precision}"
    return {"beside": settings.beside, "head": settings.head, "weights": digest, "tok": tokenizer.name}
