"""The settings of a critic: its context, its network and its training."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, Self, TypeAlias, get_args

from metrics_plugins.api import MetricError
from metrics_plugins.api.paths import EncoderName
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.text.vocabulary import Long

Context: TypeAlias = Literal["none", "image", "reference", "both"]
"""The context of a caption: none, its image, a human caption of its image, or both."""

Head: TypeAlias = Literal["linear", "mlp", "bilinear"]
"""How context and caption are combined: a linear layer, a ReLU layer before it, or compact bilinear pooling."""

NEGATIVES: Final = ("machine", "sampled", "rc", "near", "wp", "rw")


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticSettings:
    """The settings, which are those of Cui et al. (2018), section 3 and appendix A, unless stated otherwise.

    Attributes:
        beside, head: As above.
        vectors: The initial word vectors: the name of an encoder of words, a file, or `random`.
        dimension: The length of `random` word vectors.
        hidden: The number of units of the LSTM and of the layers.
        steps: The maximum number of tokens of a caption.
        long: As above; `cut` is our default, because the zero vector makes all long captions equal.
        words: The size of the vocabulary, without its four special tokens.
        pooled: The size of the output of bilinear pooling.
        dropout: The dropout rate during training.
        negatives: The kinds of negative examples, separated by `+`: `machine` captions, captions `sampled` from a
            caption model, and human captions distorted by `rc` (caption of any other image), `near` (caption of a
            similar image), `wp` (permuted words) and `rw` (random words).
        gamma: The strength in (0, 1]: for `wp` and `rw` the share of words that are distorted (at least two or one),
            for `near` the share of images, the most similar first, from which one is drawn. With 0 the number of words
            is drawn as in the paper's code, and `near` is not available.
        epochs, images, rate, decay, clip: The number of epochs; the images per batch, with two examples each; Adam's
            learning rate and its factor after each epoch; the maximum norm of the gradient.
        validation: The share of images held out for validation.
        patience: The number of epochs without a better validation accuracy after which training stops; 0 for never.
            With a patience the best weights are kept, otherwise the last.

    Raises:
        MetricError: A setting is invalid.
    """

    beside: Context = "reference"
    head: Head = "bilinear"
    vectors: EncoderName = "glove"
    dimension: int = 300
    hidden: int = 512
    steps: int = 15
    long: Long = "cut"
    words: int = 10_000
    pooled: int = 8192
    dropout: float = 0.5
    negatives: str = "machine+sampled+rc+wp+rw"
    gamma: float = 0.0
    epochs: int = 30
    images: int = 50
    rate: float = 1e-3
    decay: float = 0.9
    clip: float = 1.0
    validation: float = 0.0
    patience: int = 0

    def __post_init__(self) -> None:
        for name, choices in (("beside", get_args(Context)), ("head", get_args(Head)), ("long", get_args(Long))):
            self._require(name, getattr(self, name) in choices, f"one of {', '.join(choices)}")
        for name in ("dimension", "hidden", "steps", "words", "pooled", "epochs", "images"):
            self._require(name, getattr(self, name) >= 1, "at least 1")
        for name in ("rate", "decay", "clip"):
            self._require(name, getattr(self, name) > 0, "positive")
        for name in ("dropout", "validation"):
            self._require(name, 0 <= getattr(self, name) < 1, "at least 0 and below 1")
        self._require("gamma", 0 <= self.gamma <= 1, "within [0, 1]")
        self._require("patience", self.patience >= 0, "at least 0")
        self._require("patience", not self.patience or self.validation > 0, "0 where `validation` is 0")
        kinds = self.negatives.split("+")
        known = set(kinds) <= set(NEGATIVES) and len(set(kinds)) == len(kinds)
        near = "near" not in kinds or self.gamma > 0
        self._require("negatives", near, "without `near` where `gamma` is 0")
        self._require("negatives", known, f"some of {', '.join(NEGATIVES)}, separated by +")

    def _require(self, name: str, holds: bool, rule: str) -> None:
        if not holds:
            raise MetricError(f"`{name}` of metric 'critic-lstm' must be {rule}, got {getattr(self, name)!r}")

    @property
    def reads_references(self) -> bool:
        """Whether the context includes a human caption."""
        return self.beside in ("reference", "both")

    @property
    def reads_images(self) -> bool:
        """Whether the context includes an image."""
        return self.beside in ("image", "both")

    def describe(self) -> dict[str, SignatureValue]:
        """Return all settings as printed in signatures."""
        return asdict(self)

    @property
    def digest(self) -> str:
        """A hash of the settings."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """Return settings written by `asdict`.

        Raises:
            MetricError: A setting is missing, unknown or invalid.
        """
        names = {field.name for field in fields(cls)}
        if set(content) != names:
            odd = sorted(set(content) ^ names)
            raise MetricError(f"settings of metric 'critic-lstm' must be {len(names)} choices, got another {odd[0]!r}")
        return cls(**content)
