"""The numbers of tuples of a candidate's graph that match the graph of its references, by kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from metrics_plugins.metrics.scene_graph.graphs.graph import Concept, SceneGraph
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.metrics.scene_graph.graphs.naming import Name, list_names
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import Marks

Counts: TypeAlias = list[int]
"""`(7,)`: one number for each `TupleKind`."""

WordKinds: TypeAlias = Mapping[str, TupleKind]


@dataclass(frozen=True, eq=False)
class KnownGraph:
    """A complete graph, with derived data for matching.

    Attributes:
        graph: The graph, which must not change any more.
        word_kinds: The kinds of words that are colours, numbers or sizes.
    """

    graph: SceneGraph
    word_kinds: WordKinds

    @cached_property
    def attributes(self) -> list[list[tuple[Marks, TupleKind]]]:
        """The marks and the kind of each attribute, by node."""
        return [[(each.marks, self._classify(each)) for each in node.attributes] for node in self.graph.nodes]

    @cached_property
    def counts(self) -> Counts:
        """The number of tuples of each kind."""
        counts = [0] * len(TupleKind)
        counts[TupleKind.OBJECT] = len(self.graph.nodes)
        counts[TupleKind.RELATION] = sum(map(len, self.graph.relations.values()))
        for attributes in self.attributes:
            counts[TupleKind.ATTRIBUTE] += len(attributes)
            for _, kind in attributes:
                if kind is not TupleKind.ATTRIBUTE:
                    counts[kind] += 1
        counts[TupleKind.ALL] = counts[TupleKind.OBJECT] + counts[TupleKind.ATTRIBUTE] + counts[TupleKind.RELATION]
        return counts

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The name of each tuple."""
        return list_names(self.graph)

    def _classify(self, attribute: Concept) -> TupleKind:
        # The program looks up the merged name: "red/crimson" is not a colour.
        if len(attribute.words) > 1:
            return TupleKind.ATTRIBUTE
        return self.word_kinds.get(attribute.words[0], TupleKind.ATTRIBUTE)


def count_matches(candidate: KnownGraph, reference: KnownGraph) -> Counts:
    """Return the number of tuples of the candidate with a similar tuple in the reference, by kind.

    Tuples are similar if they have equal length and each pair of parts shares a word or a synset. A tuple of the
    reference may match several of the candidate, so a count may be larger than the number of the reference's tuples.
    """
    matched = [0] * len(TupleKind)
    similar = [reference.graph.find_similar(node.words, node.synsets) for node in candidate.graph.nodes]
    matched[TupleKind.OBJECT] = sum(map(bool, similar))
    for nodes, attributes in zip(similar, candidate.attributes, strict=True):
        if nodes and attributes:
            _count_attributes(matched, attributes, [each for node in nodes for each in reference.attributes[node]])
    matched[TupleKind.RELATION] = sum(match_relations(candidate.graph, reference.graph, similar))
    matched[TupleKind.ALL] = matched[TupleKind.OBJECT] + matched[TupleKind.ATTRIBUTE] + matched[TupleKind.RELATION]
    return matched


def _count_attributes(
    matched: Counts, attributes: list[tuple[Marks, TupleKind]], others: list[tuple[Marks, TupleKind]]
) -> None:
    for marks, kind in attributes:
        kinds = {other_kind for other_marks, other_kind in others if not marks.isdisjoint(other_marks)}
        if kinds:
            matched[TupleKind.ATTRIBUTE] += 1
            # Colours are only compared with colours; the same holds for numbers and sizes.
            if kind is not TupleKind.ATTRIBUTE and kind in kinds:
                matched[kind] += 1


def match_relations(candidate: SceneGraph, reference: SceneGraph, similar: list[set[int]]) -> Iterator[bool]:
    """Yield, for each relation of the candidate in order, whether the reference has a similar one.

    `similar` contains, for each node of the candidate, the numbers of the similar nodes of the reference.
    """
    for (source, target), relations in candidate.relations.items():
        others = [
            other.marks
            for pair in ((first, second) for first in similar[source] for second in similar[target])
            for other in reference.relations.get(pair, ())
        ]
        for relation in relations:
            yield any(not relation.marks.isdisjoint(marks) for marks in others)
