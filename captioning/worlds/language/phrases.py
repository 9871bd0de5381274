"""Constructions of noun phrases, predicates and selections."""

from collections.abc import Callable
from typing import Any

from captioning.worlds.language.construction import Construction, Parts, make_constant
from captioning.worlds.language.propositions import Is, Negated, Noun, Related, Selected


def _singular(word: str) -> str:
    return "cross" if word == "crosses" else word[:-1]


def _plural(word: str) -> str:
    return "crosses" if word == "cross" else word + "s"


def _plain(noun: Any) -> bool:
    return isinstance(noun, Noun) and noun.relative is None


def _take_noun(node: Any, *, color: bool, shape: bool) -> tuple[str | None, str | None] | None:
    if not _plain(node) or (node.color is not None) != color or (node.shape is not None) != shape:
        return None
    return node.color, node.shape


def _take_besides(node: Any) -> Parts | None:
    return (node.reference,) if isinstance(node, Related) and node.relation == "unspecific" else None


def _take_is_color(node: Any) -> Parts | None:
    return (node.noun.color,) if isinstance(node, Is) and node.adjective else None


def _take_is_noun(node: Any) -> Parts | None:
    return (node.noun,) if isinstance(node, Is) and not node.adjective else None


def _shape_only(node: Any, say: Callable[[str], str]) -> Parts | None:
    found = _take_noun(node, color=False, shape=True)
    return (say(str(found[1])),) if found else None


def _color_shape(node: Any, say: Callable[[str], str]) -> Parts | None:
    found = _take_noun(node, color=True, shape=True)
    return (found[0], say(str(found[1]))) if found else None


_NOUNS = {
    "color_shape": Construction(lambda color, shape: Noun(color, shape), lambda node: _color_shape(node, str)),
    "color_shapes": Construction(
        lambda color, shapes: Noun(color, _singular(shapes)), lambda node: _color_shape(node, _plural)
    ),
    "color_only": Construction(
        lambda color: Noun(color), lambda node: (node.color,) if _take_noun(node, color=True, shape=False) else None
    ),
    "shape_only": Construction(lambda shape: Noun(None, shape), lambda node: _shape_only(node, str)),
    "shapes_only": Construction(lambda shapes: Noun(None, _singular(shapes)), lambda node: _shape_only(node, _plural)),
    "anything": Construction(lambda: Noun(), lambda node: () if _take_noun(node, color=False, shape=False) else None),
    "with_relative": Construction(
        lambda noun, predicate: Noun(noun.color, noun.shape, predicate),
        lambda node: (
            (Noun(node.color, node.shape), node.relative) if isinstance(node, Noun) and node.relative else None
        ),
    ),
}

_PREDICATES = {
    "predicate": Construction(
        lambda predicate: predicate,
        lambda node: (
            (node,) if isinstance(node, (Is, Related)) and getattr(node, "relation", "") != "unspecific" else None
        ),
    ),
    "negated": Construction(
        lambda predicate: Negated(predicate), lambda node: (node.predicate,) if isinstance(node, Negated) else None
    ),
    "is_color": Construction(lambda color: Is(Noun(color), adjective=True), _take_is_color),
    "is_noun": Construction(lambda noun: Is(noun), _take_is_noun),
    "besides": Construction(
        lambda noun: Related("unspecific", 1, noun),
        lambda node: _take_besides(node),
    ),
    "not_besides": Construction(
        lambda noun: Negated(Related("unspecific", 1, noun)),
        lambda node: _take_besides(node.predicate) if isinstance(node, Negated) else None,
    ),
    # The number of the verb after a fraction is stored with the predicate: `a third of the squares is red`.
    "plural_verb": Construction(lambda predicate: (predicate, False), lambda node: None if node[1] else (node[0],)),
    "singular_verb_color": Construction(
        lambda color: (Is(Noun(color), adjective=True), True), lambda node: _take_is_color(node[0]) if node[1] else None
    ),
    "singular_verb_noun": Construction(
        lambda noun: (Is(noun), True), lambda node: _take_is_noun(node[0]) if node[1] else None
    ),
}

RELATIONS: dict[str, tuple[str, int]] = {
    "left_of": ("x", -1),
    "right_of": ("x", 1),
    "above": ("y", -1),
    "below": ("y", 1),
    "behind": ("z", -1),
    "in_front_of": ("z", 1),
    "smaller_than": ("size", -1),
    "bigger_than": ("size", 1),
    "darker_than": ("shade", -1),
    "lighter_than": ("shade", 1),
    "same_shape": ("shape", 1),
    "different_shape": ("shape", -1),
    "same_color": ("color", 1),
    "different_color": ("color", -1),
}
_PROXIMITIES = {
    "closer_than_the": (-1, "comparison"),
    "farther_than_the": (1, "comparison"),
    "closer_to_the": (-1, "reference"),
    "farther_from_the": (1, "reference"),
}
SELECTORS: dict[str, tuple[str, bool, int]] = {
    "left": ("x", True, -1),
    "right": ("x", True, 1),
    "upper": ("y", True, -1),
    "lower": ("y", True, 1),
    "smaller": ("size", True, -1),
    "bigger": ("size", True, 1),
    "darker": ("shade", True, -1),
    "lighter": ("shade", True, 1),
    "leftmost": ("x", False, -1),
    "rightmost": ("x", False, 1),
    "uppermost": ("y", False, -1),
    "lowermost": ("y", False, 1),
    "smallest": ("size", False, -1),
    "biggest": ("size", False, 1),
    "darkest": ("shade", False, -1),
    "lightest": ("shade", False, 1),
}
_LANDMARKS = {"closer": (True, -1), "farther": (True, 1), "closest": (False, -1), "farthest": (False, 1)}


def _relation(relation: str, value: int) -> Construction:
    def take(node: Any) -> Parts | None:
        matches = isinstance(node, Related) and (node.relation, node.value) == (relation, value)
        return (node.reference,) if matches else None

    return Construction(lambda noun: Related(relation, value, noun), take)


def _proximity(value: int, definite: str) -> Construction:
    def take(node: Any) -> Parts | None:
        if not isinstance(node, Related) or (node.relation, node.value, node.definite) != (
            "proximity",
            value,
            definite,
        ):
            return None
        return node.reference, node.comparison

    return Construction(lambda near, far: Related("proximity", value, near, far, definite), take)


def _landmark(two: bool, value: int, *, inside: bool) -> Construction:
    def take(node: Any) -> Parts | None:
        matches = isinstance(node, Selected) and (node.order, node.two, node.value, node.inside) == (
            "proximity",
            two,
            value,
            inside,
        )
        return (node.noun, node.landmark) if matches else None

    return Construction(lambda noun, landmark: Selected("proximity", two, value, noun, landmark, inside), take)


def _take_selected(node: Any, *, inside: bool) -> Parts | None:
    if not isinstance(node, Selected) or node.inside != inside or node.landmark is not None:
        return None
    return (node.order, node.two, node.value), node.noun


def _take_inside(node: Any, *, shape: bool) -> Parts | None:
    taken = _take_selected(node, inside=True)
    found = taken and _take_noun(taken[1], color=True, shape=shape)
    if not taken or not found:
        return None
    return (found[0], taken[0], found[1]) if shape else (found[0], taken[0])


_SELECTED = {
    "selected": Construction(
        lambda selector, noun: Selected(selector[0], selector[1], selector[2], noun),
        lambda node: _take_selected(node, inside=False),
    ),
    "color_selected_shape": Construction(
        lambda color, selector, shape: Selected(selector[0], selector[1], selector[2], Noun(color, shape), inside=True),
        lambda node: _take_inside(node, shape=True),
    ),
    "color_selected": Construction(
        lambda color, selector: Selected(selector[0], selector[1], selector[2], Noun(color), inside=True),
        lambda node: _take_inside(node, shape=False),
    ),
}

PHRASES: dict[str, Construction] = {
    **_NOUNS,
    **_PREDICATES,
    **_SELECTED,
    **{name: _relation(*meaning) for name, meaning in RELATIONS.items()},
    **{name: _proximity(*meaning) for name, meaning in _PROXIMITIES.items()},
    **{f"noun_{name}": _landmark(*meaning, inside=False) for name, meaning in _LANDMARKS.items()},
    **{f"{name}_noun": _landmark(*meaning, inside=True) for name, meaning in _LANDMARKS.items()},
    **{name: make_constant(meaning) for name, meaning in SELECTORS.items()},
}
