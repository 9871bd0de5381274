"""The things in the scene to which the words of a caption refer, and their names."""

from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas
from metrics_plugins.metrics.scene_graph.parser.trees import ADJECTIVES, NOUNS, PLURALS, Tree

_QUANTITIES = frozenset(
    {"lot", "lots", "bunch", "couple", "pair", "pairs", "number", "plenty", "variety", "handful", "dozen", "dozens",
     "hundreds", "thousands"}
)  # fmt: skip
"""Nouns that quantify the noun after their "of" and are not things themselves."""

_PLURAL_PRONOUNS = frozenset({"they", "them", "their", "theirs", "themselves"})
_SINGULAR_PRONOUNS = frozenset({"he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself"})
_NEVER_MEANT = frozenset({"compound", "npadvmod", "nmod"})
_LEADING_ROLES = frozenset({"nsubj", "nsubjpass", "ROOT"})
_NOMINAL_TAGS = NOUNS | ADJECTIVES | {"CD", "VBG", "FW", "ADD", "XX", "NFP"}
_JOINED = frozenset({"conj", "appos"})
_CLAUSE_PARTS = frozenset({"nsubj", "dobj", "prep"})


class Mentions:
    """The nominal words of one caption."""

    def __init__(self, tree: Tree, lemmas: Lemmas) -> None:
        """Store a repaired tree."""
        self.tree = tree
        self.lemmas = lemmas
        self._things: dict[int, list[int]] = {}
        self._pools: dict[bool, list[int]] = {}

    def name(self, word: int) -> str:
        """Return the base form of a word, which is the name of the thing in tuples."""
        tag, form = self.tree.tags[word], self.tree.words[word]
        if tag in PLURALS:
            return self.lemmas.find_singular(form)
        return self.lemmas.find_noun(form) if tag in NOUNS else form

    def list_joined(self, word: int) -> list[int]:
        """Return the word and all words joined to it by "and" or "or"."""
        tree, found = self.tree, [word]
        if not tree.children[word]:
            return found
        for member in found:
            found += tree.find_children(member, _JOINED)
        return sorted(found)

    def list_things(self, word: int) -> list[int]:
        """Return the things to which a word and those joined to it refer, with pronouns and quantities resolved."""
        things = self._things.get(word)
        if things is not None:
            return things
        # Quantities may refer to further quantities, possibly in a cycle.
        things, waiting, seen = [], [word], set()
        last_links: list[tuple[int, int]] = []
        while waiting:
            first = waiting.pop()
            if not waiting:
                last_links.append((first, len(things)))
            for member in self.list_joined(first):
                if member in seen or not (member == first or self._joins(member, first)):
                    continue
                seen.add(member)
                counted = self.find_counted(member)
                if counted is None:
                    things += self._find_thing(member)
                else:
                    waiting.append(counted)
        # Follow a chain ("lots of lots of ...") once, and not again from each of its links.
        self._things |= {link: things[start:] for link, start in last_links}
        return things

    def find_things(self, word: int) -> list[int]:
        """Return the things to which this word refers, without words joined to it."""
        counted = self.find_counted(word)
        return self._find_thing(word) if counted is None else self.list_things(counted)

    def _find_thing(self, word: int) -> list[int]:
        tag = self.tree.tags[word]
        if tag == "PRP":
            return self.resolve(word)
        return [word] if tag in _NOMINAL_TAGS else []

    def find_counted(self, word: int) -> int | None:
        """Return the noun that a quantity quantifies, as in "a lot of dogs"; None if there is none."""
        tree = self.tree
        if tree.words[word] not in _QUANTITIES:
            return None
        for preposition in tree.children[word]:
            if tree.words[preposition] == "of" and tree.labels[preposition] == "prep" and preposition > word:
                return next(iter(tree.find_children(preposition, {"pobj"})), None)
        return None

    def resolve(self, pronoun: int) -> list[int]:
        """Return the thing to which a pronoun refers, if any: an earlier noun of its number, preferably a subject."""
        form = self.tree.words[pronoun]
        is_plural = form in _PLURAL_PRONOUNS
        if not is_plural and form not in _SINGULAR_PRONOUNS:
            return []
        if not self._pools:
            self._fill_pools()
        # If no noun agrees in number, a tag may be wrong, so nouns of the other number are accepted.
        for candidate in (*self._pools[is_plural], *self._pools[not is_plural]):
            if candidate < pronoun:
                return [candidate]
        return []

    def _fill_pools(self) -> None:
        tree = self.tree
        for is_plural in (False, True):
            nouns = [
                word
                for word, tag in enumerate(tree.tags)
                if tag in NOUNS and tree.labels[word] not in _NEVER_MEANT and self._is_plural(word) == is_plural
            ]
            leading = [word for word in nouns if tree.labels[word] in _LEADING_ROLES]
            # The first noun of a kind is enough: if it does not precede the pronoun, no other does.
            self._pools[is_plural] = leading[:1] + nouns[:1]

    def _is_plural(self, noun: int) -> bool:
        return self.tree.tags[noun] in PLURALS or self.tree.has_child(noun, {"conj"})

    def _joins(self, member: int, first: int) -> bool:
        tag = self.tree.tags[member]
        if tag in NOUNS or tag in ("PRP", "CD"):
            return True
        if tag == "VBG":
            return not self.tree.has_child(member, _CLAUSE_PARTS)
        return tag in ADJECTIVES and self.tree.tags[first] in ADJECTIVES
