"""All choices that make a critic: what it sees, how it is built, and how it learns."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, Self, TypeAlias, get_args

from metrics_plugins.api import MetricError
from metrics_plugins.api.paths import EncoderName
from metrics_plugins.api.signature import SignatureValue

Context: TypeAlias = Literal["none", "image", "reference", "both"]
"""What a caption is judged beside: nothing, its image, a human caption of its image, or both."""

Head: TypeAlias = Literal["linear", "mlp", "bilinear"]
"""What joins context and caption: a linear layer on both, a layer of ReLU before it, or compact bilinear pooling."""

Long: TypeAlias = Literal["cut", "paper"]
"""What becomes of a caption that has no room for its end: it is cut, or its vector is zero as in the paper's code."""

NEGATIVES: Final = ("machine", "sampled", "rc", "near", "wp", "rw")


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticSettings:
    """The choices of Cui et al. (2018), section 3 and appendix A, where nothing else is said.

    Attributes:
        beside, head: As above.
        vectors: Where word vectors start: the name of an encoder of words or a file, or `random`.
        dimension: Length of the word vectors, for `random` ones.
        hidden: Units of the LSTM and of the layers.
        steps: Tokens of a caption that are read.
        long: As above; `cut` is our default, because the zero vector makes all long captions equal.
        words: The size of the vocabulary, without its four marks.
        pooled: Numbers that bilinear pooling gives.
        dropout: Share of numbers that are dropped while learning.
        negatives: Kinds of wrong captions, apart by `+`: `machine` captions, `sampled` ones of a caption model, and
            human ones ruined by `rc` (of any other image), `near` (of an image that is alike), `wp` (words out of
            order) and `rw` (words at random).
        gamma: Strength in (0, 1]: of `wp` and `rw` the share of words that are ruined (two at least, one at least),
            and of `near` the share of images, those most alike first, that it draws from. 0 for what the paper's code
            does: a drawn number of words; there is no `near` then.
        epochs, images, rate, decay, clip: Passes; images in a batch, each of which gives two examples; Adam's rate
            and what it is multiplied by after each pass; the largest norm of the gradient.
        validation: Share of images that are kept out of learning, for the learning curve.
        patience: Passes without a better validation accuracy after which learning stops; 0 for never. With a
            patience the best weights are kept, else the last.

    Raises:
        MetricError: A choice breaks its rule.
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
        self._require("negatives", known, f"some of {', '.join(NEGATIVES)}, apart by +")

    def _require(self, name: str, holds: bool, rule: str) -> None:
        if not holds:
            raise MetricError(f"`{name}` of metric 'critic-lstm' must be {rule}, got {getattr(self, name)!r}")

    @property
    def reads_references(self) -> bool:
        """Whether a caption is judged beside a human one."""
        return self.beside in ("reference", "both")

    @property
    def reads_images(self) -> bool:
        """Whether a caption is judged beside an image."""
        return self.beside in ("image", "both")

    def describe(self) -> dict[str, SignatureValue]:
        """Return every choice, as a signature prints it."""
        return asdict(self)

    @property
    def digest(self) -> str:
        """Identifies the choices."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """Return the settings that `asdict` wrote.

        Raises:
            MetricError: A choice is missing, unknown or breaks its rule.
        """
        names = {field.name for field in fields(cls)}
        if set(content) != names:
            odd = sorted(set(content) ^ names)
            raise MetricError(f"settings of metric 'critic-lstm' must be {len(names)} choices, got another {odd[0]!r}")
        return cls(**content)
