"""The contract of language models, without torch."""

from collections.abc import Sequence
from typing import Protocol

from captioning.api.captions import Floats


class LanguageModel(Protocol):
    """Gives captions probabilities without looking at an image."""

    def score(self, lines: Sequence[str]) -> Floats:
        """Return `(n,)`: the natural logarithm of the probability of each line of tokens, including its end."""
        ...
