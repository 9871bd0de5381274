"""The tokenisers of a study of diversity: `spacy-words`, and `whole-caption` for the comparison of captions.

E. van Miltenburg, D. Elliott, P. Vossen (2018), Measuring the Diversity of Automatic Image Descriptions, COLING; its
code is github.com/evanmiltenburg/MeasureDiversity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import has_module, install_extras

_FINAL: Final = ".?!"


@dataclass(frozen=True, slots=True)
class SpacyWordsTokenizer:
    """Splits captions into words and punctuation marks by spaCy's rules for English, in lower case.

    Raises:
        MissingResource: spaCy is not installed.
    """

    name: str = "spacy-words"
    version: str = "1"

    def __post_init__(self) -> None:
        if not has_module("spacy"):
            raise MissingResource(
                f"tokenizer 'spacy-words' splits with spaCy, which is not installed: {install_extras('parsing')}"
            )

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single spaces, "" for a caption without tokens."""
        split = _load_rules()
        return [
            " ".join("".join(word.text.split()) for word in split(text) if not word.is_space).lower()
            for text in captions
        ]


@dataclass(frozen=True, slots=True)
class WholeCaptionTokenizer:
    """Takes a caption as one text: in lower case, without full stops, question and exclamation marks at its ends."""

    name: str = "whole-caption"
    version: str = "1"

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption, with single spaces between its words."""
        return [" ".join(caption.lower().strip(_FINAL).split()) for caption in captions]


@cache
def _load_rules() -> Any:
    import spacy

    return spacy.blank("en").tokenizer
