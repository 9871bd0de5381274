from metrics_plugins.metrics.scene_graph.parser.trees import SUBJECTS
from tests.metrics_plugins.metrics.scene_graph.parser.columns import read_tree

DOG_RUNS = """
    a     DT   det    1
    dog   NN   nsubj  2
    runs  VBZ  ROOT   2
    fast  RB   advmod 2
"""


def test_children_are_in_order() -> None:
    tree = read_tree(DOG_RUNS)

    assert tree.children == [[], [0], [1, 3], []]
    assert tree.find_children(2, SUBJECTS) == [1]
    assert tree.has_child(2, {"advmod"})
    assert not tree.has_child(1, SUBJECTS)


def test_predicates() -> None:
    tree = read_tree(DOG_RUNS)

    assert [tree.is_predicate(word) for word in range(4)] == [False, False, True, False]


def test_moving_changes_both_heads() -> None:
    tree = read_tree(DOG_RUNS)
    tree.move(3, 1, label="amod")
    tree.move(1, 1, label="ROOT")

    assert tree.children == [[], [0, 3], [], []]
    assert (tree.heads, tree.labels) == ([1, 1, 2, 1], ["det", "ROOT", "ROOT", "amod"])
