"""Find the object categories mentioned in a caption by looking up its singular words and compounds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.chair.categories import CATEGORY_OF, JOINED
from metrics_plugins.metrics.chair.singular import Rules, choose_singular
from metrics_plugins.text.tokens import TokenTable, derive_tokens, name_tokenizer

# The published table has these with a leading blank, so that they never match a word of a caption.
_MISSPELLED: Final = frozenset({"cheesecake", "motor bike"})
_PARTS: Final = frozenset(part for words in (*CATEGORY_OF, *JOINED) for part in words.split())


@dataclass(frozen=True, slots=True)
class Mention:
    """An object mentioned in a caption.

    Attributes:
        words: The words of the caption, in the singular; several words for a compound.
        category: The index of its category in `CATEGORIES`.
    """

    words: str
    category: int


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The tables used to look up the words of a caption.

    Attributes:
        categories: The category of each word or compound.
        joined: The replacements of compounds.
        firsts: The first words of compounds.
        longest: The maximal number of words in a compound.
    """

    categories: Mapping[str, int]
    joined: Mapping[str, str]
    firsts: frozenset[str]
    longest: int


def find_mentions(words: Sequence[str], *, rules: Rules) -> list[Mention]:
    """Return the objects that a caption mentions, in order and with repetitions.

    Args:
        words: The caption's words in the singular.
        rules: `published` joins at most two words and does not find "motor bike" and "cheesecake", which its table
            misspells; `corrected` does.
    """
    lexicon = _get_lexicon(rules)
    joined = list(_join(words, lexicon))
    # The "seat" of a toilet must not count as a chair.
    is_toilet = "toilet" in joined and "seat" in joined
    return [
        Mention(word, lexicon.categories[word])
        for word in joined
        if word in lexicon.categories and not (is_toilet and word == "seat")
    ]


def find_categories(captions: Iterable[Sequence[str]], *, rules: Rules) -> list[frozenset[int]]:
    """Return the category numbers mentioned in each caption, given as its lower-case words."""
    make_singular = choose_singular(rules, words=_PARTS)
    return [
        frozenset(mention.category for mention in find_mentions([make_singular(word) for word in words], rules=rules))
        for words in captions
    ]


def derive_mentions(batch: Batch, tokenizer: Tokenizer, *, rules: Rules) -> Ragged:
    """Return the category numbers mentioned in each distinct caption of a batch, in order."""
    tokens = derive_tokens(batch, tokenizer)
    name = ("object mentions", name_tokenizer(tokenizer), rules)
    return batch.derive_texts(name, lambda _: _mention_all(tokens, rules=rules))


def _mention_all(tokens: TokenTable, *, rules: Rules) -> Ragged:
    make_singular = choose_singular(rules, words=_PARTS)
    singulars = [make_singular(word) for word in tokens.words]
    words = [singulars[token] for token in tokens.ids.tolist()]
    bounds = tokens.offsets.tolist()
    return Ragged.from_rows(
        [
            [mention.category for mention in find_mentions(words[start:stop], rules=rules)]
            for start, stop in pairwise(bounds)
        ]
    )


@cache
def _get_lexicon(rules: Rules) -> _Lexicon:
    is_published = rules == "published"
    return _Lexicon(
        categories={
            words if is_published else words.lower(): number
            for words, number in CATEGORY_OF.items()
            if not (is_published and words in _MISSPELLED)
        },
        joined=JOINED,
        firsts=frozenset(words.split()[0] for words in JOINED),
        longest=2 if is_published else max(words.count(" ") + 1 for words in JOINED),
    )


def _join(words: Sequence[str], lexicon: _Lexicon) -> Iterator[str]:
    place = 0
    while place < len(words):
        for size in range(lexicon.longest if words[place] in lexicon.firsts else 1, 1, -1):
            together = " ".join(words[place : place + size])
            if together in lexicon.joined:
                yield lexicon.joined[together]
                place += size
                break
        else:
            yield words[place]
            place += 1
