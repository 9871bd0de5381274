"""The settings of caption networks; read without torch."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, Self, TypeAlias, get_args

from captioning.api.errors import CaptionerError

Architecture: TypeAlias = Literal["show-and-tell", "lrcn-1u", "fc", "att2in", "adaptive", "cvae", "gmm-cvae", "cgan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSettings:
    """The sizes of a caption network.

    Attributes:
        architecture: The name of the decoder.
        hidden: The number of units of the LSTM, and the length of encoded regions and of the attention's layers.
        embedding: The length of word vectors, and of an image that is read as a word.
        dropout: The dropout rate of word vectors and of the LSTM's outputs during training.
        channels: The channels of the layers of the CNN, which are there for images given as pixels; each layer halves
            height and width.
        noise: The length of the random vector of `cvae`, `gmm-cvae` and `cgan`.
        components: The number of components of the prior of `gmm-cvae`.
        divergence_weight: The weight of the divergence from the prior in the training of `cvae` and `gmm-cvae`.

    Raises:
        CaptionerError: A value is invalid; the message names it and the rule.
    """

    architecture: Architecture = "lrcn-1u"
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.5
    channels: tuple[int, ...] = (32, 64, 128, 128)
    noise: int = 64
    components: int = 16
    divergence_weight: float = 0.1

    def __post_init__(self) -> None:
        names = get_args(Architecture)
        rules: tuple[tuple[str, str, bool], ...] = (
            ("architecture", f"one of {', '.join(names)}", self.architecture in names),
            ("hidden", "at least 1", self.hidden >= 1),
            ("embedding", "at least 1", self.embedding >= 1),
            ("dropout", "at least 0 and below 1", 0 <= self.dropout < 1),
            ("channels", "one or more positive numbers", bool(self.channels) and min(self.channels, default=0) >= 1),
            ("noise", "at least 1", self.noise >= 1),
            ("components", "at least 1", self.components >= 1),
            ("divergence_weight", "0 or positive", self.divergence_weight >= 0),
        )
        for name, rule, holds in rules:
            if not holds:
                raise CaptionerError(f"`{name}` of a network must be {rule}, got {getattr(self, name)!r}")

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Return settings from values by name, as read from JSON.

        Raises:
            CaptionerError: A name is unknown or a value is invalid.
        """
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                raise CaptionerError(f"networks have no setting {name!r} (they have: {', '.join(known)})")
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
        return cls(**given)  # type: ignore[arg-type]  # checked by the class
