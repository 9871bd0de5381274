"""The tokeniser `white-space`, which changes nothing but the white space between words."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WhiteSpaceTokenizer:
    """Splits at white space, as `str.split` does, and changes neither letters nor punctuation."""

    name: str = "white-space"
    version: str = "1"

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its words joined by single spaces, "" for a caption without words."""
        return [" ".join(caption.split()) for caption in captions]
