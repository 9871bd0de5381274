"""Tests of merging, with words whose synsets are in METEOR's data."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.metrics.scene_graph.graphs.graph import SceneGraph, build_graph
from metrics_plugins.metrics.scene_graph.graphs.naming import list_names
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposal, Proposals
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary

WORDS = ["dog", "hound", "couch", "sofa", "bike", "bicycle", "motorcycle", "person", "child", "kid", "red", "crimson"]
RELATIONS = ["on", "be on", "sit on", "ride", "drive"]
PROPOSALS = st.lists(
    st.tuples(st.sampled_from(WORDS))
    | st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS))
    | st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS), st.sampled_from(RELATIONS)),
    max_size=12,
).map(tuple)


def merge(vocabulary: LemmaVocabulary, *captions: Sequence[Proposal]) -> SceneGraph:
    return build_graph([tuple(caption) for caption in captions], vocabulary=vocabulary)


def name_all(vocabulary: LemmaVocabulary, *captions: Sequence[Proposal]) -> list[str]:
    return [" ".join(name) for name in list_names(merge(vocabulary, *captions))]


def test_synonyms_of_several_captions_become_one_object(vocabulary: LemmaVocabulary) -> None:
    names = name_all(vocabulary, [("couch",)], [("sofa", "red"), ("kitten", "sofa", "sleep on")])

    assert names == ["sofa/couch", "sofa/couch red", "kitten", "kitten sleep on sofa/couch"]


def test_objects_of_an_attribute_or_relation_become_objects(vocabulary: LemmaVocabulary) -> None:
    assert name_all(vocabulary, [("dog", "brown"), ("dog", "frisbee", "catch")]) == [
        "dog",
        "dog brown",
        "frisbee",
        "dog catch frisbee",
    ]


def test_equal_proposals_add_nothing(vocabulary: LemmaVocabulary) -> None:
    once = [("bus",), ("bus", "red"), ("bus", "street", "on")]

    assert name_all(vocabulary, once, once) == name_all(vocabulary, once)


def test_a_leading_be_is_removed_from_relations(vocabulary: LemmaVocabulary) -> None:
    names = name_all(vocabulary, [("cat", "mat", "be on"), ("cat", "mat", "on"), ("dog", "mat", "maybe be on")])

    assert names == ["cat", "mat", "dog", "cat on mat", "dog maybe be on mat"]


def test_similar_attributes_and_relations_merge(vocabulary: LemmaVocabulary) -> None:
    names = name_all(vocabulary, [("car", "big"), ("car", "large"), ("man", "car", "shut"), ("man", "car", "close")])

    assert names == ["car", "car big/large", "man", "man shut/close car"]


def test_a_relation_is_one_of_its_objects(vocabulary: LemmaVocabulary) -> None:
    names = name_all(vocabulary, [("man", "horse", "ride"), ("horse", "man", "ride"), ("man", "dog", "ride")])

    assert names[3:] == ["man ride horse", "horse ride man", "man ride dog"]


def test_an_object_merges_with_the_one_of_most_similar_synsets(vocabulary: LemmaVocabulary) -> None:
    motorcycle, bicycle, bike = map(vocabulary.find_synsets, ("motorcycle", "bicycle", "bike"))
    similarity = {
        "motorcycle": len(bike & motorcycle) / len(bike | motorcycle),
        "bicycle": len(bike & bicycle) / len(bike | bicycle),
    }
    best = max(similarity, key=lambda word: similarity[word])
    assert similarity["motorcycle"] != similarity["bicycle"]

    graph = merge(vocabulary, [("motorcycle",), ("bicycle",), ("bike",)])

    assert [sorted(node.words) for node in graph.nodes if "bike" in node.words] == [sorted(["bike", best])]


def test_of_equally_similar_objects_the_first_is_taken(vocabulary: LemmaVocabulary) -> None:
    for first, second in (("lot", "background"), ("background", "lot")):
        graph = merge(vocabulary, [(first,), (second,), ("setting",)])

        assert [node.words for node in graph.nodes] == [[first, "setting"], [second]]


@given(captions=st.lists(PROPOSALS, max_size=4))
@settings(deadline=None)
def test_each_word_names_one_object_and_no_tuple_stands_twice(
    captions: list[Proposals], vocabulary: LemmaVocabulary
) -> None:
    graph = build_graph(captions, vocabulary=vocabulary)

    words = [word for node in graph.nodes for word in node.words]
    assert sorted(words) == sorted(set(words)) == sorted(graph.node_of_word)
    named = {proposal[0] for caption in captions for proposal in caption}
    named |= {proposal[1] for caption in captions for proposal in caption if len(proposal) == 3}
    assert set(words) == named
    names = list_names(graph)
    assert len(names) == len(set(names))
    for number, node in enumerate(graph.nodes):
        assert node.synsets == {mark for word in node.words for mark in vocabulary.find_synsets(word)}
        assert all(number in graph.nodes_of_synset[synset] for synset in node.synsets)
