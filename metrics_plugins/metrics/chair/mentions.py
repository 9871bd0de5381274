"""Which objects a caption speaks of: its words in the singular, some of them joined, looked up among the categories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from metrics_plugins.api import Batch
from metrics_plugins.api.columns import Ragged
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.chair.categories import CATEGORY_OF, JOINED
from metrics_plugins.metrics.chair.singular import Rules, choose_singular
from metrics_plugins.text.tokens import TokenTable, derive_tokens, name_tokenizer

# The published table spells these with a blank in front, so that no word of a caption is ever equal to them.
_MISSPELLED: Final = frozenset({"cheesecake", "motor bike"})
_PARTS: Final = frozenset(part for words in (*CATEGORY_OF, *JOINED) for part in words.split())


@dataclass(frozen=True, slots=True)
class Mention:
    """An object that a caption speaks of.

    Attributes:
        words: As the caption has it: in the singular, with its neighbours where they are one name.
        category: The number of its category in `CATEGORIES`.
    """

    words: str
    category: int


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """What the words of a caption are looked up in.

    Attributes:
        categories: The category of each word or joined words.
        joined: What words that stand together are read as.
        firsts: The words that such words begin with.
        longest: The most words that are joined.
    """

    categories: Mapping[str, int]
    joined: Mapping[str, str]
    firsts: frozenset[str]
    longest: int


def find_mentions(words: Sequence[str], *, rules: Rules) -> list[Mention]:
    """Return the objects that a caption speaks of, in its order, one that is named twice twice.

    Args:
        words: The caption's words in the singular.
        rules: `published` joins two words at most and knows neither "motor bike" nor "cheesecake", which its table
            misspells; `mended` does.
    """
    lexicon = _get_lexicon(rules)
    joined = list(_join(words, lexicon))
    # The seat of a toilet is no chair.
    is_toilet = "toilet" in joined and "seat" in joined
    return [
        Mention(word, lexicon.categories[word])
        for word in joined
        if word in lexicon.categories and not (is_toilet and word == "seat")
    ]


def find_categories(captions: Iterable[Sequence[str]], *, rules: Rules) -> list[frozenset[int]]:
    """Return for each caption, given as its words in lower case, the numbers of the categories that it mentions."""
    make_singular = choose_singular(rules, words=_PARTS)
    return [
        frozenset(mention.category for mention in find_mentions([make_singular(word) for word in words], rules=rules))
        for words in captions
    ]


def derive_mentions(batch: Batch, tokenizer: Tokenizer, *, rules: Rules) -> Ragged:
    """Return for each distinct caption of a batch the numbers of the categories that it mentions, in its order."""
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
