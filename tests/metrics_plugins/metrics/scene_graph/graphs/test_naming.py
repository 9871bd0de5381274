import pytest

from metrics_plugins.metrics.scene_graph.graphs.graph import build_graph
from metrics_plugins.metrics.scene_graph.graphs.naming import join_words, list_names
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary


# Printed by `String.join("/", set)` of a java.util.HashSet<String> to which the words were added in this order
# (OpenJDK 17). "Aa" and "BB" have one hash code; the fifth row fills more than three quarters of 16 places.
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("couch", "couch"),
        ("couch/sofa", "sofa/couch"),
        ("sofa/couch/lounge", "sofa/lounge/couch"),
        ("Aa/BB/couch", "Aa/BB/couch"),
        ("BB/Aa/couch", "BB/Aa/couch"),
        (
            "man/person/guy/gentleman/male/adult/human/people/individual/someone/fellow/chap/boy",
            "individual/guy/people/boy/someone/person/fellow/chap/man/adult/gentleman/human/male",
        ),
        ("caf\u00e9/\u65e5\u672c/\U0001f600/dog/a b", "a b/\U0001f600/\u65e5\u672c/dog/caf\u00e9"),
    ],
)
def test_merged_words_stand_in_the_order_of_a_java_hash_set(words: str, expected: str) -> None:
    assert join_words(words.split("/")) == expected


def test_a_relation_stands_between_its_objects(vocabulary: LemmaVocabulary) -> None:
    graph = build_graph([(("cat", "table", "on"), ("cat", "black"))], vocabulary=vocabulary)

    assert list_names(graph) == (("cat",), ("cat", "black"), ("table",), ("cat", "on", "table"))
