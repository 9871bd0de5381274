"""Scene graphs: the proposals of one or several captions, merged as the program SPICE 1.0 merges them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary, Marks

_LEADING_BE = "be "


@dataclass(slots=True, eq=False)
class Concept:
    """One or several words that were found to mean the same.

    Attributes:
        words: In the order in which they came.
        marks: The marks of all words.
    """

    words: list[str]
    marks: Marks

    def merge(self, word: str, marks: Marks) -> None:
        """Take a further word in; one that is there already changes nothing."""
        if word not in self.words:
            self.words.append(word)
            self.marks |= marks


@dataclass(slots=True, eq=False)
class Node:
    """An object with its attributes.

    Attributes:
        words: The names of the object, in the order in which they came.
        synsets: The synsets of all names.
        attributes: In the order in which they came.
        attribute_of_word: The attribute that holds each word.
    """

    words: list[str]
    synsets: set[int]
    attributes: list[Concept] = field(default_factory=list)
    attribute_of_word: dict[str, Concept] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class SceneGraph:
    """Objects, their attributes, and relations from one object to another.

    Attributes:
        vocabulary: Says which words are similar.
        nodes: In the order in which they came.
        relations: By the numbers of the source and of the target, in the order in which they came.
        node_of_word: The number of the node that holds each word.
        nodes_of_synset: The numbers of the nodes that have each synset.
    """

    vocabulary: LemmaVocabulary
    nodes: list[Node] = field(default_factory=list)
    relations: dict[tuple[int, int], list[Concept]] = field(default_factory=dict)
    node_of_word: dict[str, int] = field(default_factory=dict)
    nodes_of_synset: dict[int, list[int]] = field(default_factory=dict)

    def add(self, proposals: Proposals) -> None:
        """Merge the proposals of one caption into the graph, in their order."""
        for proposal in proposals:
            source = self._find_or_add(proposal[0])
            if len(proposal) == 2:
                self._add_attribute(self.nodes[source], proposal[1])
            elif len(proposal) == 3:
                self._add_relation(source, self._find_or_add(proposal[1]), proposal[2])

    def find_similar(self, words: Iterable[str], synsets: Iterable[int]) -> set[int]:
        """Return the numbers of the nodes that share one of these words or synsets."""
        found = {self.node_of_word[word] for word in words if word in self.node_of_word}
        for synset in synsets:
            if synset in self.nodes_of_synset:
                found.update(self.nodes_of_synset[synset])
        return found

    def _find_or_add(self, word: str) -> int:
        number = self.node_of_word.get(word)
        if number is None:
            synsets = self.vocabulary.find_synsets(word)
            number = self._find_most_similar(synsets)
            if number is None:
                number = len(self.nodes)
                self.nodes.append(Node(words=[], synsets=set()))
            self._merge(number, word, synsets)
        return number

    def _find_most_similar(self, synsets: Marks) -> int | None:
        """Return the node whose synsets overlap most with these (Jaccard), the first of equal ones; None if none does.

        The program takes of equal ones that which its hash map yields first, by numbers drawn when it runs.
        """
        shared: dict[int, int] = {}
        for synset in synsets:
            for number in self.nodes_of_synset.get(synset, ()):
                shared[number] = shared.get(number, 0) + 1
        if not shared:
            return None
        n_synsets = len(synsets)
        return max(
            shared,
            key=lambda number: (
                shared[number] / (n_synsets + len(self.nodes[number].synsets) - shared[number]),
                -number,
            ),
        )

    def _merge(self, number: int, word: str, synsets: Marks) -> None:
        node = self.nodes[number]
        node.words.append(word)
        self.node_of_word[word] = number
        for synset in synsets:
            if synset not in node.synsets:
                node.synsets.add(synset)
                self.nodes_of_synset.setdefault(synset, []).append(number)

    def _add_attribute(self, node: Node, word: str) -> None:
        # What holds the word already is taken before others that are similar, among which the program's choice is
        # as random as among nodes.
        if word in node.attribute_of_word:
            return
        marks = self.vocabulary.mark(word)
        for attribute in node.attributes:
            if not attribute.marks.isdisjoint(marks):
                attribute.merge(word, marks)
                break
        else:
            attribute = Concept([word], marks)
            node.attributes.append(attribute)
        node.attribute_of_word[word] = attribute

    def _add_relation(self, source: int, target: int, phrase: str) -> None:
        word = phrase.removeprefix(_LEADING_BE)
        marks = self.vocabulary.mark(word)
        relations = self.relations.setdefault((source, target), [])
        if any(relation.words == [word] for relation in relations):
            return
        for relation in relations:
            if not relation.marks.isdisjoint(marks):
                relation.merge(word, marks)
                return
        relations.append(Concept([word], marks))


def build_graph(captions: Iterable[Proposals], *, vocabulary: LemmaVocabulary) -> SceneGraph:
    """Return one graph of all these captions, merged in their order."""
    graph = SceneGraph(vocabulary)
    for proposals in captions:
        graph.add(proposals)
    return graph
