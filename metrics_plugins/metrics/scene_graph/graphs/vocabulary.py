"""The synsets of words and phrases, looked up once each."""

from dataclasses import dataclass, field

from metrics_plugins.metrics.meteor.lexicon import Lexicon, load_lexicon

Marks = frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class LemmaVocabulary:
    """Gives each word what it is compared by; a phrase is a word here, its blanks read as underscores.

    Attributes:
        lexicon: Knows the synsets of a word and of its base forms.
    """

    lexicon: Lexicon
    _synsets: dict[str, Marks] = field(default_factory=dict, repr=False)
    _marks: dict[str, Marks] = field(default_factory=dict, repr=False)

    def find_synsets(self, word: str) -> Marks:
        """Return the numbers of the word's synsets, those of its base forms included."""
        known = self._synsets.get(word)
        if known is None:
            known = frozenset(self.lexicon.find_synsets(word.strip().lower().replace(" ", "_")))
            self._synsets[word] = known
        return known

    def mark(self, word: str) -> Marks:
        """Return the word's synsets and one negative number of its own: two words are similar if they share a mark."""
        known = self._marks.get(word)
        if known is None:
            known = self.find_synsets(word) | {-1 - len(self._marks)}
            self._marks[word] = known
        return known


def load_vocabulary() -> LemmaVocabulary:
    """Return a vocabulary that has looked up nothing yet.

    Raises:
        MissingResource: pycocoevalcap, which ships the synonyms, is not installed.
    """
    return LemmaVocabulary(load_lexicon())
