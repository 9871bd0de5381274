"""Prepositional relations: their names and their targets."""

from collections.abc import Iterator

from metrics_plugins.metrics.scene_graph.parser.mentions import Mentions

Link = tuple[str, int]
"""The name of a relation and its target."""

_COMPLEX = frozenset(
    {("in", "front"), ("on", "top"), ("in", "back"), ("in", "place"), ("in", "spite"), ("in", "addition"),
     ("on", "account")}
)  # fmt: skip
"""Pairs of a preposition and a noun that form a complex preposition with the following "of"."""

_DEPENDENT = frozenset({"prep", "dative"})
_PREPOSITION_TAGS = frozenset({"IN", "TO", "RP", "RB", "VBG", "JJ", "VBN"})
_NOUN_PARTS = frozenset({"det", "amod"})


def find_complex_end(mentions: Mentions, preposition: int, noun: int) -> int | None:
    """Return the "of" that ends a complex preposition, as in "in front of a house"; None if it is not one."""
    tree = mentions.tree
    if (tree.words[preposition], tree.words[noun]) not in _COMPLEX or tree.has_child(noun, _NOUN_PARTS):
        return None
    ends = (child for child in tree.find_children(noun, {"prep"}) if tree.words[child] == "of")
    return next(ends, None)


def list_links(mentions: Mentions, word: int, *, name: str = "") -> list[Link]:
    """Return the prepositional relations of a word; each name begins with `name`, such as that of a verb."""
    tree = mentions.tree
    found: list[Link] = []
    for child in tree.children[word]:
        label = tree.labels[child]
        if label in _DEPENDENT:
            if tree.tags[child] in _PREPOSITION_TAGS:
                found += _follow(mentions, child, name)
        elif label == "advmod":
            # "next to" and "away from": the adverb is part of the name.
            for preposition in tree.find_children(child, {"prep"}):
                found += _follow(mentions, preposition, _append(name, tree.words[child]))
    return found


def _follow(mentions: Mentions, preposition: int, name: str) -> Iterator[Link]:
    tree = mentions.tree
    # Without recursion, because chains such as "out of" or "in and out of" may be as long as the text.
    waiting = [(preposition, name)]
    while waiting:
        word, before = waiting.pop()
        whole = _append(before, tree.words[word])
        following = []
        for child in tree.children[word]:
            label = tree.labels[child]
            if label == "pobj":
                yield from _link_objects(mentions, word, child, whole)
            elif label == "prep" or (label == "pcomp" and tree.tags[child] != "VBG"):
                following.append((child, whole))
            elif label == "conj" and tree.tags[child] in ("IN", "TO"):
                following.append((child, before))
        waiting += reversed(following)


def _link_objects(mentions: Mentions, preposition: int, noun: int, name: str) -> Iterator[Link]:
    tree = mentions.tree
    end = find_complex_end(mentions, preposition, noun)
    if end is None:
        yield from ((name, thing) for thing in mentions.list_things(noun))
        return
    for far in tree.find_children(end, {"pobj"}):
        yield from ((f"{name} {tree.words[noun]} of", thing) for thing in mentions.list_things(far))


def _append(name: str, word: str) -> str:
    return f"{name} {word}" if name else word
