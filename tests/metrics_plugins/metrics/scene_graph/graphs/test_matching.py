from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.metrics.scene_graph.graphs.graph import build_graph
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind, load_attribute_kinds
from metrics_plugins.metrics.scene_graph.graphs.matching import KnownGraph, count_matches
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposal, Proposals
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary
from tests.metrics_plugins.metrics.scene_graph.graphs.test_graph import PROPOSALS


def know(vocabulary: LemmaVocabulary, *captions: Sequence[Proposal]) -> KnownGraph:
    graph = build_graph([tuple(caption) for caption in captions], vocabulary=vocabulary)
    return KnownGraph(graph, load_attribute_kinds())


def test_several_tuples_may_match_one(vocabulary: LemmaVocabulary) -> None:
    candidate, reference = know(vocabulary, [("bicycle",), ("motorcycle",)]), know(vocabulary, [("bike",)])

    assert count_matches(candidate, reference)[TupleKind.OBJECT] == 2
    assert reference.counts[TupleKind.OBJECT] == 1


def test_swapped_objects_do_not_match(vocabulary: LemmaVocabulary) -> None:
    candidate = know(vocabulary, [("horse", "man", "ride")])
    reference = know(vocabulary, [("man", "horse", "ride")])

    assert count_matches(candidate, reference) == [2, 2, 0, 0, 0, 0, 0]
    assert count_matches(reference, reference) == [3, 2, 0, 1, 0, 0, 0]


def test_attributes_match_on_similar_objects_alone(vocabulary: LemmaVocabulary) -> None:
    reference = know(vocabulary, [("sofa", "red"), ("dog", "brown")])

    assert count_matches(know(vocabulary, [("couch", "red")]), reference) == [2, 1, 1, 0, 1, 0, 0]
    assert count_matches(know(vocabulary, [("dog", "red")]), reference) == [1, 1, 0, 0, 0, 0, 0]


def test_kinds_of_attributes_are_counted_apart(vocabulary: LemmaVocabulary) -> None:
    graph = know(vocabulary, [("dog", "brown"), ("dog", "two"), ("dog", "tiny"), ("dog", "wet")])

    assert graph.counts == [5, 1, 4, 0, 1, 1, 1]
    assert count_matches(graph, graph) == [5, 1, 4, 0, 1, 1, 1]


def test_a_merged_attribute_is_no_colour(vocabulary: LemmaVocabulary) -> None:
    merged, plain = know(vocabulary, [("car", "red"), ("car", "crimson")]), know(vocabulary, [("car", "red")])

    assert merged.counts == [2, 1, 1, 0, 0, 0, 0]
    assert count_matches(plain, merged) == [2, 1, 1, 0, 0, 0, 0]


def find_matches(candidate: KnownGraph, reference: KnownGraph) -> int:
    """Compare every tuple with every other, part by part, as the definition says."""
    parts = []
    for known in (candidate, reference):
        graph = known.graph
        marks = [
            node.synsets | {mark for word in node.words for mark in graph.vocabulary.mark(word)} for node in graph.nodes
        ]
        tuples = [(mark,) for mark in marks]
        tuples += [
            (mark, each.marks) for mark, node in zip(marks, graph.nodes, strict=True) for each in node.attributes
        ]
        tuples += [(marks[s], marks[t], each.marks) for (s, t), some in graph.relations.items() for each in some]
        parts.append(tuples)
    return sum(
        any(len(one) == len(other) and all(a & b for a, b in zip(one, other, strict=True)) for other in parts[1])
        for one in parts[0]
    )


@given(candidate=PROPOSALS, references=st.lists(PROPOSALS, max_size=4))
@settings(deadline=None)
def test_counts_are_those_of_comparing_all_with_all(
    candidate: Proposals, references: list[Proposals], vocabulary: LemmaVocabulary
) -> None:
    first, second = know(vocabulary, candidate), know(vocabulary, *references)

    matched = count_matches(first, second)

    assert matched[TupleKind.ALL] == find_matches(first, second)
    assert all(0 <= number <= known for number, known in zip(matched, first.counts, strict=True))
    assert count_matches(first, first) == first.counts
