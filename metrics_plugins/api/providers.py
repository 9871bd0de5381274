"""What plugins may provide to metrics beside metrics: tokenisers and encoders."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


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

    Attributes:
        name: As it prints in signatures.
        digest: Identifies weights and settings; embeddings are cached under it.
        dimension: Length of one vector.
    """

    name: str
    digest: str
    dimension: int

    def encode(self, inputs: Sequence[object]) -> npt.NDArray[np.float32]:
        """Return `(n_inputs, dimension)`."""
        ...
