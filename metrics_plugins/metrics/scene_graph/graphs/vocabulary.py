"""The vocabulary of scene graphs, which looks up the synsets of each word and phrase once."""

from dataclasses import dataclass, field

from metrics_plugins.metrics.meteor.lexicon import Lexicon, load_lexicon

Marks = frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class LemmaVocabulary:
    """The synsets by which words are compared; a phrase counts as a word, with underscores in place of spaces.

    Attributes:
        lexicon: Contains the synsets of words and their base forms.
    """

    lexicon: Lexicon
    _synsets: dict[str, Marks] = field(default_factory=dict, repr=False)
    _marks: dict[str, Marks] = field(default_factory=dict, repr=False)

    def find_synsets(self, word: str) -> Marks:
        """Return the numbers of the synsets of a word, including those of its base forms."""
        known = self._synsets.get(word)
        if known is None:
            known = frozenset(self.lexicon.find_synsets(word.strip().lower().replace(" ", "_")))
            self._synsets[word] = known
        return known

    def mark(self, word: str) -> Marks:
        """Return the marks of a word, its synsets and a unique negative number; similar words share a mark."""
        known = self._marks.get(word)
        if known is None:
            known = self.find_synsets(word) | {-1 - len(self._marks)}
            self._marks[word] = known
        return known


def load_vocabulary() -> LemmaVocabulary:
    """Return a new vocabulary with an empty cache.

    Raises:
        MissingResource: pycocoevalcap, which ships the synonyms, is not installed.
    """
    return LemmaVocabulary(load_lexicon())
