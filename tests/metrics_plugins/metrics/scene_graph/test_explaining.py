from metrics_plugins.metrics.scene_graph.explaining import explain
from metrics_plugins.metrics.scene_graph.graphs.graph import build_graph
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind, load_attribute_kinds
from metrics_plugins.metrics.scene_graph.graphs.matching import KnownGraph, count_matches
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import load_vocabulary

PROPOSALS = {
    "a brown dog catches a frisbee": (("dog", "brown"), ("dog", "frisbee", "catch")),
    "a puppy on grass": (("puppy", "grass", "on"),),
    "a dog plays with a red frisbee": (("frisbee", "red"), ("dog", "frisbee", "catch")),
}


class Known:
    """Proposes what is written above."""

    def describe(self):
        return {}

    def parse(self, lines):
        return [PROPOSALS[line] for line in lines]


def test_tuples_are_named_with_whether_the_references_have_them():
    found = explain(
        "A brown dog catches a frisbee.", ["A puppy on grass.", "A dog plays with a red frisbee."], parser=Known()
    )

    assert [(each.parts, each.kind, each.is_matched) for each in found.candidate] == [
        (("dog",), "object", True),
        (("dog", "brown"), "attribute", False),
        (("frisbee",), "object", True),
        (("dog", "catch", "frisbee"), "relation", True),
    ]
    missed = {each.parts for each in found.missed}
    assert ("grass",) in missed
    assert ("frisbee", "red") in missed


def test_as_many_match_as_spice_counts():
    candidate, *references = PROPOSALS
    found = explain(candidate, references, parser=Known())

    kinds, vocabulary = load_attribute_kinds(), load_vocabulary()
    own, theirs = (
        KnownGraph(build_graph([PROPOSALS[line] for line in lines], vocabulary=vocabulary), kinds)
        for lines in ([candidate], references)
    )
    counted = count_matches(own, theirs)
    assert sum(each.is_matched for each in found.candidate) == counted[TupleKind.ALL]
    assert len(found.candidate) == own.counts[TupleKind.ALL]


def test_caption_without_words_has_no_tuples():
    found = explain("...", ["A puppy on grass."], parser=Known())

    assert found.candidate == ()
    assert len(found.missed) == 3
