"""The table of rules for writing captions, which are explained and checked on the page, and checked by the server.

They are the seven instructions for collecting the captions of COCO (Chen et al., "Microsoft COCO Captions: Data
Collection and Evaluation Server", 2015), each with a reason of our own, and one against texts that are no sentence. A
violation that can be detected with certainty blocks the caption, a likely one shows a warning, and rules that cannot be
checked are left to the writer. Patterns of words are for English; in captions of another language they are not checked.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation_ui.kinds.caption_words import count_words, is_noise


class Strictness(StrEnum):
    """The effect of violating a rule."""

    BLOCKS = "blocks"
    WARNS = "warns"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class CaptionRule:
    """A rule.

    Attributes:
        name: Stored with a caption that was submitted in spite of the warning.
        asks, reason: The rule and its reason, as shown to the writer.
        strictness: The effect of a violation.
        pattern: A regular expression with the same meaning in Python and browsers: ASCII letters, one space between
            words, no `\\w`, `\\b` or lookbehind. Empty if the rule cannot be checked.
        ignores_case: Whether the pattern is case-insensitive.
        least: The minimum number of matches; 0 if there must be none.
        count_with: What is counted instead of matches of the pattern, in captions of any language.
        refusal: The message for a rejected caption.
    """

    name: str
    asks: str | Promise
    reason: str | Promise
    strictness: Strictness = Strictness.UNCHECKED
    pattern: str = ""
    ignores_case: bool = True
    least: int = 0
    count_with: Callable[[str], int] | None = None
    refusal: str | Promise = ""

    @property
    def is_checked(self) -> bool:
        return bool(self.pattern or self.count_with)

    @property
    def flags(self) -> str:
        """The flags for a browser's regular expression."""
        return "giu" if self.ignores_case else "gu"

    def is_kept_by(self, caption: str) -> bool:
        """Return whether a normalized caption satisfies the rule; True if the rule cannot be checked."""
        if not self.is_checked:
            return True
        return self.count(caption) >= self.least if self.least else not self.count(caption)

    def count(self, caption: str) -> int:
        """Return what is counted in the visible characters of a normalized caption, usually matches of the pattern."""
        seen = caption.translate(_UNSEEN_BUT_TYPED)
        if self.count_with:
            return self.count_with(seen)
        return len(re.findall(self.pattern, seen, re.IGNORECASE if self.ignores_case else 0))


# Marks inserted between letters by keyboards for Hebrew, Arabic, Persian, Indian languages and emoji: they are allowed
# in captions, and ignored when rules are checked.
_TYPED: Final = "\u061c\u200c\u200d\u200e\u200f\ufe0e\ufe0f"
_UNSEEN_BUT_TYPED: Final = dict.fromkeys(map(ord, _TYPED))
# Invisible characters whose Unicode category does not say so: Hangul fillers, the blank Braille pattern, the grapheme
# joiner, inherent vowels of Khmer, and Mongolian variation selectors.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
LEAST_WORDS: Final = 8
ENGLISH: Final = "en"
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
        gettext_lazy("These words say nothing about the image, and captions that begin alike are hard to tell apart."),
        Strictness.BLOCKS,
        pattern=f"^[^A-Za-z]*there(?: is|{_APOSTROPHE}s){_END}",
        refusal=gettext_lazy("Do not start with “There is”: start with what is in the image."),
    ),
    CaptionRule("unimportant", gettext_lazy("Leave out unimportant details."), gettext_lazy("They hide what matters.")),
    CaptionRule(
        "past-or-future",
        gettext_lazy("Do not describe anything that may have happened before or may happen later."),
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
        gettext_lazy("An image has no sound, so anything that somebody says would be invented."),
        Strictness.WARNS,
        pattern=f'["“”„«»]|{_START}(?:says?|said|saying|asks|asked|tells|told|thinks|thinking){_END}',
    ),
    CaptionRule(
        "names",
        gettext_lazy("Do not give people proper names."),
        gettext_lazy("Names cannot be seen in an image: say what a person looks like or does."),
        Strictness.WARNS,
        pattern='[^.!?:"“„« ] [A-Z][a-z]',
        ignores_case=False,
    ),
    CaptionRule(
        "eight-words",
        gettext_lazy("Write at least eight words."),
        gettext_lazy(
            "Shorter captions leave out important parts. Where there are no blanks between words, 12 Chinese "
            "characters, 16 kana, or 20 letters of Thai, Lao, Burmese or Khmer count as eight words."
        ),
        Strictness.BLOCKS,
        count_with=count_words,
        least=LEAST_WORDS,
        refusal=gettext_lazy("Write at least eight words."),
    ),
    CaptionRule(
        "sentence",
        gettext_lazy("Write a sentence, not the same words again and again or keys at random."),
        gettext_lazy("Only a description says what the image shows."),
        Strictness.BLOCKS,
        count_with=is_noise,
        refusal=gettext_lazy(
            "This does not look like a sentence: most of its words are the same, or are keys at random. Describe what "
            "is in the image."
        ),
    ),
)


def is_invisible(letter: str) -> bool:
    """Return whether a character is invisible: a control, formatting, zero-width or tag character.

    Line breaks and tabs do not occur, because white space is normalized before. Marks that people type within words of
    their languages do not count as invisible; the rules ignore them.
    """
    if letter in _TYPED:
        return False
    is_selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return is_selector or letter in _BLANK or unicodedata.category(letter) in _INVISIBLE


def list_rules(language: str) -> tuple[CaptionRule, ...]:
    """Return the rules for captions of a language; patterns of English words are checked only in English.

    An empty code stands for captions of unknown language, which are checked like English ones.
    """
    if language.partition("-")[0] in ("", ENGLISH):
        return RULES
    return tuple(replace(rule, strictness=Strictness.UNCHECKED, pattern="") if rule.pattern else rule for rule in RULES)


def list_broken(caption: str, strictness: Strictness, *, language: str = "") -> tuple[CaptionRule, ...]:
    """Return the rules of this strictness that a normalized caption violates."""
    return tuple(
        rule for rule in list_rules(language) if rule.strictness is strictness and not rule.is_kept_by(caption)
    )
