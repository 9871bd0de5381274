"""The dependency tree of a caption, to which all rules are applied."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
PLURALS = frozenset({"NNS", "NNPS"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
SUBJECTS = frozenset({"nsubj", "nsubjpass"})


@dataclass(frozen=True, slots=True)
class Tree:
    """Words and their dependencies; the lists have one entry per word, and repairs may change all but the words.

    Attributes:
        words: The tokens.
        tags: Their Penn Treebank tags.
        labels: Their CLEAR dependency labels.
        heads: The word on which each depends; a root depends on itself.
        children: The words that depend on each, in ascending order.
    """

    words: Sequence[str]
    tags: list[str]
    labels: list[str]
    heads: list[int]
    children: list[list[int]]

    def find_children(self, word: int, labels: Container[str]) -> list[int]:
        """Return the children of a word with one of these labels."""
        own = self.labels
        return [child for child in self.children[word] if own[child] in labels]

    def has_child(self, word: int, labels: Container[str]) -> bool:
        """Return whether the word has a child with one of these labels."""
        own = self.labels
        return any(own[child] in labels for child in self.children[word])

    def is_predicate(self, word: int) -> bool:
        """Return whether the word is the head of a clause."""
        return self.tags[word] in VERBS or self.tags[word] == "MD" or self.has_child(word, SUBJECTS)

    def move(self, word: int, head: int, *, label: str) -> None:
        """Make the word depend on another head."""
        self.children[self.heads[word]] = [child for child in self.children[self.heads[word]] if child != word]
        self.heads[word] = head
        self.labels[word] = label
        if head != word:
            self.children[head] = sorted([*self.children[head], word])


def make_tree(words: Sequence[str], *, tags: list[str], labels: list[str], heads: list[int]) -> Tree:
    """Return the tree with these words, tags, labels and heads."""
    children: list[list[int]] = [[] for _ in words]
    for word, head in enumerate(heads):
        if head != word:
            children[head].append(word)
    return Tree(words=words, tags=tags, labels=labels, heads=heads, children=children)
