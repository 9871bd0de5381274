"""The interfaces of tokenisers and encoders, which plugins can provide to metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.columns import Ragged


@runtime_checkable
class Tokenizer(Protocol):
    """Splits captions into tokens.

    Attributes:
        name: The name printed in signatures (`tok:ptb`).
        version: Changes whenever a token may change.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single spaces, "" for a caption without tokens."""
        ...


@runtime_checkable
class Encoder(Protocol):
    """Turns texts or images into vectors.

    The vector of an input does not depend on the other inputs of the call.

    Attributes:
        name: The name printed in signatures.
        digest: Identifies weights, settings and precision; used as the key of cached embeddings.
        dimension: The length of a vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, inputs: Sequence[object]) -> npt.NDArray[np.float32]:
        """Return `(n_inputs, dimension)` vectors of texts (`str`), image files (`Path`), or both if they share a space.

        NaN in a row means that the encoder has no vector for this input, such as a word missing from a word table.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The tokens of texts, with a vector each.

    Attributes:
        vectors: `(n_tokens, dimension)`, as returned by the encoder, without normalisation.
        offsets: `(n_texts + 1,)`; text t has the tokens `offsets[t]` to `offsets[t + 1]`, in order.
        ids: `(n_tokens,)`: the id of each token in the encoder's vocabulary.
        is_special: `(n_tokens,)`: whether the token represents no part of the text, such as [CLS] and [SEP].
    """

    vectors: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]
    is_special: npt.NDArray[np.bool_]


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also returns a contextual vector for each token of a text."""

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        """Return `(n_texts,)`: the token ids of each text, including special tokens, without encoding them."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        """Return the tokens of all texts with their vectors."""
        ...
