"""The tokeniser `nltk-words`: captions in lower case, split as NLTK's word tokeniser splits one sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from metrics_plugins.api.errors import MissingResource

# Captions of plain words are most captions, and for them the program has nothing to decide but these words.
_PLAIN: Final = re.compile(r"([a-z ]*[a-z]) *(\.?) *")
_DIVIDED: Final = re.compile(r"\b(?:cannot|gimme|gonna|gotta|lemme|wanna|whaddya|whatcha)\b")


@dataclass(frozen=True, slots=True)
class NltkWordsTokenizer:
    """Words and punctuation marks of NLTK's `NLTKWordTokenizer`, which are defined by that program and so left to it.

    A caption is taken as one sentence: a full stop inside it stays with its word, for no model of sentence ends is
    asked.

    Raises:
        MissingResource: NLTK is not installed.
    """

    name: str = "nltk-words"
    version: str = "1"

    def __post_init__(self) -> None:
        if find_spec("nltk") is None:
            raise MissingResource(
                "tokenizer 'nltk-words' splits with NLTK, which is not installed: pip install 'accordance[objects]'"
            )

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single blanks, "" for a caption without tokens."""
        from nltk.tokenize.destructive import NLTKWordTokenizer

        splitter = NLTKWordTokenizer()
        return [_split_plain(text) or " ".join(splitter.tokenize(text)) for text in map(str.lower, captions)]


def _split_plain(text: str) -> str:
    """Return the tokens of a caption of plain words, "" for any other."""
    found = _PLAIN.fullmatch(text)
    if not found or _DIVIDED.search(text):
        return ""
    return " ".join([*found[1].split(), *found[2]])
