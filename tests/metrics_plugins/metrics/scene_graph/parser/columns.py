"""Trees written as lines with a word, its tag, its label and the number of its head, counted from 0."""

from metrics_plugins.metrics.scene_graph.parser.trees import Tree, make_tree


def read_tree(text: str) -> Tree:
    rows = [line.split() for line in text.strip().splitlines()]
    words, tags, labels, heads = map(list, zip(*rows, strict=True))
    return make_tree(words, tags=tags, labels=labels, heads=[int(head) for head in heads])


def write_tree(tree: Tree) -> str:
    rows = zip(tree.words, tree.tags, tree.labels, map(str, tree.heads), strict=True)
    return "\n".join(map(" ".join, rows))


def normalise(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
