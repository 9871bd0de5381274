"""Write the original's semantic trees in reverse Polish notation (`caption_rpn.txt`)."""

from collections.abc import Iterator

from captioning.worlds.files.semantic_trees import Tree
from captioning.worlds.truth.profiles import HEAD, Profile

# The parts of each component, in the order in which they are written before it.
_PARTS = ("scope", "clauses", "quantifier", "restrictor", "reference", "comparison", "body")
_LISTS = ("EntityType", "Proposition")
_LABELS = ("predtype", "proptype", "qtype", "qrange", "value", "quantity", "bound")


def format_reverse_polish(tree: Tree, *, profile: Profile) -> str:
    """Return a tree in reverse Polish notation, the tokens separated by spaces.

    Profile S writes the number of attributes or clauses as a token of its own (`2 EntityType`), H as part of the
    component (`EntityType2`).
    """
    return " ".join(_list_tokens(tree, is_joined=profile is HEAD))


def _list_tokens(tree: Tree, *, is_joined: bool) -> Iterator[str]:
    name, parts = tree["component"], _list_parts(tree)
    for part in parts:
        yield from _list_tokens(part, is_joined=is_joined)
    # All nouns have the predicate type "type", which the notation leaves out.
    keys = () if name == "EntityType" else _LABELS
    token = "-".join([name, *(str(tree[key]) for key in keys if isinstance(tree.get(key), str | int | float))])
    if name in _LISTS:
        number = str(len(parts))
        if is_joined:
            token += number
        else:
            yield number
    yield token


def _list_parts(tree: Tree) -> list[Tree]:
    """Return the components inside a component: lists of attributes and clauses, predicates, and named parts."""
    value = tree.get("value")
    parts: list[Tree] = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
    for key in _PARTS:
        part = tree.get(key)
        parts = [*parts, *(part if isinstance(part, list) else [part] if part else [])]
    return parts
