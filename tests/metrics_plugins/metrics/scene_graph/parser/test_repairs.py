"""Tests of trees as the model may return them, and of their corrected form."""

import pytest

from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas
from metrics_plugins.metrics.scene_graph.parser.repairs import repair
from tests.metrics_plugins.metrics.scene_graph.parser.columns import normalise, read_tree, write_tree

LEMMAS = Lemmas(
    nouns=frozenset(["dog", "ball", "boy", "girl", "helmet", "clerk", "spoon", "fork", "toy", "run", "sink"]),
    verbs=frozenset(["bite", "run", "kick", "play", "wear", "sink", "be"]),
    irregular_nouns={},
    irregular_verbs={},
)

CHANGED = {
    "a stands with no plural": (
        """
        a      DT   det       2
        dog    NN   compound  2
        bites  NNS  ROOT      2
        a      DT   det       4
        ball   NN   appos     2
        """,
        """
        a      DT   det       1
        dog    NN   nsubj     2
        bites  VBZ  ROOT      2
        a      DT   det       4
        ball   NN   dobj      2
        """,
    ),
    "the object was taken for the predicate": (
        """
        a      DT   det       2
        dog    NNP  compound  2
        bites  NNS  nsubj     4
        a      DT   det       4
        ball   NN   ROOT      4
        """,
        """
        a      DT   det       1
        dog    NNP  nsubj     2
        bites  VBZ  ROOT      2
        a      DT   det       4
        ball   NN   dobj      2
        """,
    ),
    "the verb at the end belongs to the first noun": (
        """
        boy     NN   ROOT      0
        with    IN   prep      0
        a       DT   det       4
        helmet  NN   compound  4
        plays   NNS  pobj      1
        """,
        """
        boy     NN   ROOT      0
        with    IN   prep      0
        a       DT   det       3
        helmet  NN   pobj      1
        plays   VBZ  acl       0
        """,
    ),
    "two stands with no singular": (
        """
        two    CD   nummod    2
        girls  NNS  compound  2
        run    NN   ROOT      2
        """,
        """
        two    CD   nummod    1
        girls  NNS  nsubj     2
        run    VBP  ROOT      2
        """,
    ),
    "a participle has no noun before it as a modifier": (
        """
        a        DT   det       2
        dog      NN   compound  2
        running  VBG  ROOT      2
        """,
        """
        a        DT   det       1
        dog      NN   nsubj     2
        running  VBG  ROOT      2
        """,
    ),
    "no verb is spelled so": (
        """
        clerk  VB   ROOT  0
        with   IN   prep  0
        """,
        """
        clerk  NN   ROOT  0
        with   IN   prep  0
        """,
    ),
    "no adverb has an article": (
        """
        kick  VB   ROOT    0
        a     DT   det     2
        ball  RB   advmod  0
        """,
        """
        kick  VB   ROOT    0
        a     DT   det     2
        ball  NN   dobj    0
        """,
    ),
    "no compound has a number inside": (
        """
        spoon  NN  compound  2
        one    CD  nummod    2
        fork   NN  ROOT      2
        """,
        """
        spoon  NN  conj    2
        one    CD  nummod  2
        fork   NN  ROOT    2
        """,
    ),
}

RIGHT = {
    "plural": "the DT det 2\ndog NN compound 2\ntoys NNS ROOT 2",
    "article with a singular": "a DT det 2\ndog NN compound 2\nrun NN ROOT 2",
    "modifying participle": "a DT det 2\nrunning VBG amod 2\ndog NN ROOT 2",
    "verb": "sink VB ROOT 0",
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_contradiction_is_resolved(before: str, after: str) -> None:
    tree = read_tree(before)
    repair(tree, LEMMAS)

    assert write_tree(tree) == normalise(after)


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_can_be_right_stays(text: str) -> None:
    tree = read_tree(text)
    repair(tree, LEMMAS)

    assert write_tree(tree) == text
