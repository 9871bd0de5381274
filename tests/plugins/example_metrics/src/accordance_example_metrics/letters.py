"""A tokenizer whose tokens are sequences of letters and digits in lower case."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class LetterTokenizer:
    """Leaves out all that is neither letter nor digit."""

    name: str = "letters"
    version: str = "1"

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return the words of each caption, joined by blanks."""
        return [" ".join(_WORD.findall(caption.lower())) for caption in captions]
