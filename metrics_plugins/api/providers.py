"""What plugins may provide to metrics beside metrics: tokenisers and encoders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.columns import Ragged


@runtime_checkable
class Tokenizer(Protocol):
    """Splits captions into tokens.

    Attributes:
        name: As it prints in signatures (`tok:ptb`).
        version: Changes whenever a token may change.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single blanks, "" for a caption without tokens."""
        ...


@runtime_checkable
class Encoder(Protocol):
    """Turns texts or images into vectors.

    The vector of an input does not depend on the other inputs of the call.

    Attributes:
        name: As it prints in signatures.
        digest: Identifies weights, settings and precision; embeddings are cached under it.
        dimension: Length of one vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, inputs: Sequence[object]) -> npt.NDArray[np.float32]:
        """Return `(n_inputs, dimension)`: of texts (`str`), of image files (`Path`), or of both if they share a space.

        NaN in a row says that the encoder does not know this input, as a table of words does not know every word.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The tokens of texts, each with a vector.

    Attributes:
        vectors: `(n_tokens, dimension)`, as the encoder gives them: not normalised.
        offsets: `(n_texts + 1,)`; text t has the tokens `offsets[t]` to `offsets[t + 1]`, in their order.
        ids: `(n_tokens,)`: which token of the encoder's vocabulary it is.
        is_special: `(n_tokens,)`: whether the token stands for no part of the text, as [CLS] and [SEP] do.
    """

    vectors: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]
    is_special: npt.NDArray[np.bool_]


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also gives a vector to every token of a text, in its context."""

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        """Return `(n_texts,)`: the tokens of each text by number, special ones included; nothing is encoded."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        """Return the tokens of every text with their vectors."""
        ...
