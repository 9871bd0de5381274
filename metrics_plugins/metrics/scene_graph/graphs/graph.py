"""Scene graphs, which merge the proposals of one or several captions as the program SPICE 1.0 does."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary, Marks

_LEADING_BE = "be "


@dataclass(slots=True, eq=False)
class Concept:
    """One or several words with the same meaning.

    Attributes:
        words: The words in the order of insertion.
        marks: The marks of all words.
    """

    words: list[str]
    marks: Marks

    def merge(self, word: str, marks: Marks) -> None:
        """Add a word; has no effect if it is there already."""
        if word not in self.words:
            self.words.append(word)
            self.marks |= marks


@dataclass(slots=True, eq=False)
class Node:
    """An object with its attributes.

    Attributes:
        words: The names of the object in the order of insertion.
        synsets: The synsets of all names.
        attributes: The attributes in the order of insertion.
        attribute_of_word: The attribute with each word.
    """

    words: list[str]
    synsets: set[int]
    attributes: list[Concept] = field(default_factory=list)
    attribute_of_word: dict[str, Concept] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class SceneGraph:
    """Objects, their attributes, and relations from one object to another.

    Attributes:
        vocabulary: Determines which words are similar.
        nodes: The objects in the order of insertion.
        relations: The relations by the numbers of source and target node, in the order of insertion.
        node_of_word: The number of the node with each word.
        nodes_of_synset: The numbers of the nodes with each synset.
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
        """Return the node whose synsets overlap most (Jaccard) with these, the first for ties; None if none overlaps.

        For ties, the program takes the node that its hash map yields first, which varies from run to run.
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
        # An attribute with this very word has priority over similar ones, among which the program's choice varies from
        # run to run.
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
    """Return one graph of all these captions, merged in the order given."""
    graph = SceneGraph(vocabulary)
    for proposals in captions:
        graph.add(proposals)
    return graph
