"""Tuples from noun phrases: attributes, possessors, numbers, prepositional relations, and all things."""

from itertools import chain

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposal
from metrics_plugins.metrics.scene_graph.parser.mentions import Mentions
from metrics_plugins.metrics.scene_graph.parser.prepositions import find_complex_end, list_links
from metrics_plugins.metrics.scene_graph.parser.trees import ADJECTIVES, NOUNS, PLURALS, VERBS

_COMPOUNDS = frozenset({"compound", "nmod"})
_SUBORDINATE = frozenset({"compound", "nmod", "amod"})
_DETERMINERS = frozenset({"det", "nummod", "poss"})
_CLAUSES = frozenset({"acl", "relcl"})
_ADJECTIVE_ROLES = frozenset({"amod", "acl", "relcl"})
_GRADES = frozenset({"advmod", "amod", "npadvmod"})
_OTHER_HEADS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "ROOT"})
_OTHER_TAGS = ADJECTIVES | {"CD"}


class Modifiers:
    """The noun phrases of one caption."""

    def __init__(self, mentions: Mentions) -> None:
        """Store the mentions of a caption."""
        self._mentions = mentions
        self._attributes: list[Proposal] = []
        self._links: list[Proposal] = []
        self._owners: list[Proposal] = []
        self._numbers: list[Proposal] = []
        self._compounds: list[Proposal] = []
        self._objects: list[Proposal] = []

    def propose(self) -> list[Proposal]:
        """Return attributes, then prepositional relations, possessors, numbers, compounds, and finally all things."""
        tree = self._mentions.tree
        for word, tag in enumerate(tree.tags):
            if tag in NOUNS:
                if tree.children[word]:
                    self._read_noun(word)
                if tree.labels[word] != "npadvmod" and not self._is_modifier(word):
                    self._objects.append((self._mentions.name(word),))
            elif tag in _OTHER_TAGS and tree.labels[word] in _OTHER_HEADS:
                self._link([word], word)
        return [*chain(self._attributes, self._links, self._owners, self._numbers, self._compounds, self._objects)]

    def _is_modifier(self, noun: int) -> bool:
        tree = self._mentions.tree
        return tree.labels[noun] in _SUBORDINATE and not tree.has_child(noun, _DETERMINERS)

    def _read_noun(self, noun: int) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        name = mentions.name(noun)
        counted = mentions.find_counted(noun)
        for child in tree.children[noun]:
            label = tree.labels[child]
            if label in ("amod", *_COMPOUNDS):
                if counted is None or label != "amod":
                    self._read_modifier(name, child, label)
            elif label in _CLAUSES:
                if tree.tags[child] in ADJECTIVES and not tree.has_child(child, {"nsubj"}):
                    self._attributes.append((name, tree.words[child]))
            elif label == "poss":
                # "its" is not a noun, but refers to one.
                owners = mentions.resolve(child) if tree.tags[child] == "PRP$" else mentions.list_things(child)
                self._owners += [(mentions.name(owner), name, "have") for owner in owners if owner != noun]
            elif label == "nummod" and child < noun and tree.tags[noun] in PLURALS:
                self._numbers.append((name, tree.words[child]))
        if counted is None:
            self._link([noun], noun)
        else:
            self._link(mentions.list_things(counted), noun)

    def _read_modifier(self, name: str, modifier: int, label: str) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        for word in mentions.list_joined(modifier):
            tag = tree.tags[word]
            if tag in NOUNS:
                if label == "amod" or (word == modifier and not tree.has_child(word, _DETERMINERS)):
                    self._compounds.append((name, mentions.name(word)))
            elif tag in ADJECTIVES or tag in VERBS or (tag == "CD" and label == "amod"):
                # "a white striped cat": the cat is white as well.
                grades = (grade for grade in tree.find_children(word, _GRADES) if tree.tags[grade] in ADJECTIVES)
                self._attributes += [(name, tree.words[quality]) for quality in (*grades, word)]

    def _link(self, things: list[int], word: int) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        head = tree.heads[word]
        is_part = tree.labels[word] == "pobj" and find_complex_end(mentions, head, word) is not None
        links = [
            (relation, far)
            for relation, far in list_links(mentions, word)
            if not (relation == "of" and (is_part or far in things))
        ]
        for child in tree.find_children(word, _ADJECTIVE_ROLES):
            if tree.tags[child] in ADJECTIVES:
                links += list_links(mentions, child, name=tree.words[child])
        name = mentions.name
        self._links += [(name(thing), name(far), relation) for thing in things for relation, far in links]
