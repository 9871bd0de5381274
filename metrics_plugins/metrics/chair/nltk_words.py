"""The tokeniser `nltk-words`: lower-case captions, split by NLTK's word tokeniser as one sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import Resource, install_extras

NLTK: Final = Resource("NLTK", modules=("nltk",), extras=("objects",), unless="tokenizer")
# Fast path for captions of plain words, which NLTK splits only at spaces, except for the words listed here.
_PLAIN: Final = re.compile(r"([a-z ]*[a-z]) *(\.?) *")
_DIVIDED: Final = re.compile(r"\b(?:cannot|gimme|gonna|gotta|lemme|wanna|whaddya|whatcha)\b")


@dataclass(frozen=True, slots=True)
class NltkWordsTokenizer:
    """Splits captions into words and punctuation marks with NLTK's `NLTKWordTokenizer`.

    A caption is treated as one sentence, without a sentence segmenter: a full stop inside it stays with its word.

    Raises:
        MissingResource: NLTK is not installed.
    """

    name: str = "nltk-words"
    version: str = "1"

    def __post_init__(self) -> None:
        if not NLTK.is_present:
            raise MissingResource(
                f"tokenizer 'nltk-words' splits with NLTK, which is not installed: {install_extras(*NLTK.extras)}"
            )

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single spaces, "" for a caption without tokens."""
        from nltk.tokenize.destructive import NLTKWordTokenizer

        splitter = NLTKWordTokenizer()
        return [_split_plain(text) or " ".join(splitter.tokenize(text)) for text in map(str.lower, captions)]


def _split_plain(text: str) -> str:
    """Return the tokens of a caption of plain words, "" for any other."""
    found = _PLAIN.fullmatch(text)
    if not found or _DIVIDED.search(text):
        return ""
    return " ".join([*found[1].split(), *found[2]])
