"""Base forms of nouns and verbs, found as in WordNet's morphy: irregular forms first, then endings in order."""

from collections.abc import Mapping
from functools import lru_cache

_NOUN_ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("ves", "f"),
)  # fmt: skip
_VERB_ENDINGS = (
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip

_AUXILIARIES = {
    form: base
    for base, forms in (
        ("be", "is are was were am been being 's 're 'm"),
        ("have", "has had having 've"),
        ("do", "does did done doing"),
    )
    for form in forms.split()
}
"""Their contracted forms are not in the dictionary, and "does" would be read as a plural of "doe"."""

_SHORTEST_STEM = 3
_REMEMBERED_WORDS = 1 << 16


class Lemmas:
    """Looks up base forms; from words that are not in WordNet the ending of their part of speech is removed."""

    def __init__(
        self,
        *,
        nouns: frozenset[str],
        verbs: frozenset[str],
        irregular_nouns: Mapping[str, str],
        irregular_verbs: Mapping[str, str],
    ) -> None:
        """Store the base forms of nouns and verbs, and the base form of each irregular form."""
        self.nouns = nouns
        self.verbs = verbs
        self._irregular_nouns = irregular_nouns
        self._irregular_verbs = irregular_verbs
        # Cached, because captions repeat words.
        self.find_verb = lru_cache(_REMEMBERED_WORDS)(self._find_verb)
        self.find_singular = lru_cache(_REMEMBERED_WORDS)(self._find_singular)

    def is_verb(self, word: str) -> bool:
        """Return whether the word is a form of a verb."""
        return self.find_verb(word) in self.verbs

    def find_noun(self, word: str) -> str:
        """Return the base form of a noun that is tagged as a singular."""
        return word if word in self.nouns else self.find_singular(word)

    def _find_verb(self, word: str) -> str:
        irregular = _AUXILIARIES.get(word) or self._irregular_verbs.get(word)
        if irregular:
            return irregular
        for ending, new in _VERB_ENDINGS:
            if word.endswith(ending) and word[: -len(ending)] + new in self.verbs:
                return word[: -len(ending)] + new
        return word if word in self.verbs else _cut_participle(word)

    def _find_singular(self, word: str) -> str:
        irregular = self._irregular_nouns.get(word)
        if irregular or word.endswith("ss"):
            return irregular or word
        for ending, new in _NOUN_ENDINGS:
            if word.endswith(ending) and word[: -len(ending)] + new in self.nouns:
                return word[: -len(ending)] + new
        is_base = word in self.nouns or not word.endswith("s") or len(word) <= _SHORTEST_STEM
        return word if is_base else word[:-1]


def _cut_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            is_doubled = len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiousl"
            return stem[:-1] if is_doubled else stem
    return word
