"""The names of tuples as printed by the program SPICE 1.0, by which SPICE-U counts concepts."""

from collections.abc import Sequence
from typing import TypeAlias

from metrics_plugins.metrics.scene_graph.graphs.graph import SceneGraph

Name: TypeAlias = tuple[str, ...]
"""One part for an object, two for an attribute, three for a relation, which is in the middle."""

_FIRST_CAPACITY = 16
_FULL_AT = 0.75


def list_names(graph: SceneGraph) -> tuple[Name, ...]:
    """Return the name of every tuple: objects, each followed by its attributes, then relations."""
    nodes = [join_words(node.words) for node in graph.nodes]
    names: list[Name] = []
    for name, node in zip(nodes, graph.nodes, strict=True):
        names.append((name,))
        names += [(name, join_words(attribute.words)) for attribute in node.attributes]
    for (source, target), relations in graph.relations.items():
        names += [(nodes[source], join_words(relation.words), nodes[target]) for relation in relations]
    return tuple(names)


def join_words(words: Sequence[str]) -> str:
    """Return merged words as one name, such as "sofa/couch".

    The words are in the order of the program's Java hash set, so that tables of concepts created with the program have
    the same names.
    """
    if len(words) == 1:
        return words[0]
    capacity = _FIRST_CAPACITY
    while len(words) > _FULL_AT * capacity:
        capacity *= 2
    return "/".join(sorted(words, key=lambda word: _find_bucket(word, capacity=capacity)))


def _find_bucket(word: str, *, capacity: int) -> int:
    code = 0
    units = word.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + low + 256 * high) & 0xFFFFFFFF
    return (code ^ code >> 16) & (capacity - 1)
