"""The rules for writing a caption, in one table: the page explains them and checks while one types, the server again.

They are the seven instructions under which the captions of COCO were collected (Chen et al., "Microsoft COCO Captions:
Data Collection and Evaluation Server", 2015), each with a reason of our own. What a pattern can decide blocks; what it
can only suspect warns; what it cannot see is left to the writer.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Strictness(StrEnum):
    """What breaking a rule does."""

    BLOCKS = "blocks"
    WARNS = "warns"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class CaptionRule:
    """One rule.

    Attributes:
        name: Kept with a caption that was sent against its warning.
        asks, reason: What the writer is told.
        strictness: What breaking it does.
        pattern: A regular expression that Python and browsers read alike: ASCII letters, one space between words,
            neither `\\w` nor `\\b` nor looking behind. Empty where nothing can be checked.
        ignores_case: Whether the pattern takes capitals for small letters.
        least: How often the pattern must be found; 0 if it must not be.
        refusal: Told with a caption that was refused.
    """

    name: str
    asks: str | Promise
    reason: str | Promise
    strictness: Strictness = Strictness.UNCHECKED
    pattern: str = ""
    ignores_case: bool = True
    least: int = 0
    refusal: str | Promise = ""

    @property
    def flags(self) -> str:
        """The flags for a browser's regular expression."""
        return "giu" if self.ignores_case else "gu"

    def is_kept_by(self, caption: str) -> bool:
        """Return whether a caption, its space normalized, keeps the rule; True if nothing can be checked."""
        if not self.pattern:
            return True
        return self.count(caption) >= self.least if self.least else not self.count(caption)

    def count(self, caption: str) -> int:
        """Return how often the pattern is found in what a reader sees of a caption, its space normalized."""
        seen = caption.translate(_UNSEEN_BUT_TYPED)
        return len(re.findall(self.pattern, seen, re.IGNORECASE if self.ignores_case else 0))


# Marks that keyboards for Hebrew, Arabic, Persian, languages of India and emoji put between letters: they may stand in
# a caption, and hide no word from a rule nor make one.
_TYPED: Final = "\u061c\u200c\u200d\u200e\u200f\ufe0e\ufe0f"
_UNSEEN_BUT_TYPED: Final = dict.fromkeys(map(ord, _TYPED))
# What shows nothing, whatever Unicode files it under: fillers of Hangul, an empty pattern of Braille, joiners of
# graphemes, vowels of Khmer that are none, and selectors of Mongolian variants.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
LEAST_WORDS: Final = 8
_MARKS: Final = "!-/:-@\\[-`{-~\u2013\u2014\u2026\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_APOSTROPHE: Final = "['\u2019]"
_START: Final = "(?:^|[^A-Za-z])"
_END: Final = "(?![A-Za-z])"

RULES: Final = (
    CaptionRule(
        "important",
        gettext_lazy("Describe all the important parts of the scene."),
        gettext_lazy("Somebody who cannot see the image should know what it shows."),
    ),
    CaptionRule(
        "there-is",
        gettext_lazy("Do not start with “There is”."),
        gettext_lazy("The words say nothing about the image, and captions that begin alike are hard to tell apart."),
        Strictness.BLOCKS,
        pattern=f"^[^A-Za-z]*there(?: is|{_APOSTROPHE}s){_END}",
        refusal=gettext_lazy("Start with something else than “There is”: begin with what there is."),
    ),
    CaptionRule(
        "unimportant",
        gettext_lazy("Leave out unimportant details."),
        gettext_lazy("They hide what matters."),
    ),
    CaptionRule(
        "past-or-future",
        gettext_lazy("Describe nothing that may have happened before or may happen later."),
        gettext_lazy("Only what can be seen can be checked against the image."),
        Strictness.WARNS,
        pattern=(
            f"{_START}(?:will|won{_APOSTROPHE}t|about to|was|were|yesterday|tomorrow|ago"
            f"|going to(?! (?:a|an|the|his|her|their|its|work|school|bed){_END})){_END}"
        ),
    ),
    CaptionRule(
        "speech",
        gettext_lazy("Do not write what a person might say."),
        gettext_lazy("An image has no sound: what somebody says would be invented."),
        Strictness.WARNS,
        pattern=f'["“”„«»]|{_START}(?:says?|said|saying|asks|asked|tells|told|thinks|thinking){_END}',
    ),
    CaptionRule(
        "names",
        gettext_lazy("Give people no proper names."),
        gettext_lazy("Nobody can see a name: say what a person looks like or does."),
        Strictness.WARNS,
        pattern='[^.!?:"“„« ] [A-Z][a-z]',
        ignores_case=False,
    ),
    CaptionRule(
        "eight-words",
        gettext_lazy("Write at least eight words."),
        gettext_lazy("Shorter captions leave out important parts."),
        Strictness.BLOCKS,
        pattern=f"(?:^| )[{_MARKS}]*[^ {_MARKS}][^ ]*",
        least=LEAST_WORDS,
        refusal=gettext_lazy("Write at least eight words."),
    ),
)


def normalize_caption(text: str) -> str:
    """Return the text in one line, with one space between words and none around."""
    return " ".join(text.split())


def is_invisible(letter: str) -> bool:
    """Return whether a character cannot be seen: it steers, turns text around, takes no room or tags what stands there.

    Line breaks and tabs are no such case: the caption's space is normalized before. Marks that people type within words
    of their languages are not either; the rules do not see them.
    """
    if letter in _TYPED:
        return False
    is_selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return is_selector or letter in _BLANK or unicodedata.category(letter) in _INVISIBLE


def list_broken(caption: str, strictness: Strictness) -> tuple[CaptionRule, ...]:
    """Return the rules of this strictness that a caption, its space normalized, breaks."""
    return tuple(rule for rule in RULES if rule.strictness is strictness and not rule.is_kept_by(caption))
