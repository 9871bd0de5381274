"""Single edits of a caption's meaning, which make captions minimally false."""

from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from captioning.worlds.language.phrases import RELATIONS, SELECTORS
from captioning.worlds.language.propositions import (
    Compared,
    Connected,
    Denied,
    Is,
    Negated,
    Noun,
    Proposition,
    Quantified,
    Related,
    Selected,
    iterate_nodes,
)
from captioning.worlds.vocabulary import COLORS, SHAPES

EDIT_KINDS = ("color", "shape", "relation", "number", "logic")

MODIFIERS = ("lt", "leq", "eq", "neq", "geq", "gt")
COUNTS = (0, 1, 2, 3, 4, 5)
RATIOS = (0.0, 0.25, 0.33, 0.5, 0.67, 0.75, 1.0)
_RELATION_VALUES = tuple(RELATIONS.values())
_CONNECTIVES = ("and", "or", "if", "iff")


def count_quantifiers() -> tuple[tuple[str, float], ...]:
    """Return the 34 pairs of modifier and count that the original uses."""
    return tuple((m, q) for m in MODIFIERS for q in COUNTS if q > 0 or m not in ("lt", "leq"))


def ratio_quantifiers() -> tuple[tuple[str, float], ...]:
    """Return the 38 pairs of modifier and ratio that the original uses."""
    refused = {"lt": (0.0,), "leq": (0.0,), "geq": (1.0,), "gt": (1.0,)}
    return tuple((m, q) for m in MODIFIERS for q in RATIOS if q not in refused.get(m, ()))


def list_edits(proposition: Proposition) -> tuple[tuple[str, Proposition], ...]:
    """Return every proposition that differs by a single edit, each with the kind of the edit.

    The kinds are those of `EDIT_KINDS`: another colour, shape, relation or selector, another number or modifier,
    another connective, or a predicate negated or not. The caller evaluates their truth.
    """
    return tuple(_edit_inside(proposition))


def draw_edit(
    proposition: Proposition,
    *,
    weights: Mapping[str, float],
    relations: Set[str] | None = None,
    rng: np.random.Generator,
) -> tuple[str, Proposition] | None:
    """Draw one edit: first a kind, by weight among those that are possible, then one of its edits.

    Edits that contain a relation that is not one of `relations` are left out. Returns None if no kind with a weight is
    possible.
    """
    by_kind: dict[str, list[Proposition]] = {kind: [] for kind in weights}
    for kind, edited in list_edits(proposition):
        if kind in by_kind and (relations is None or _list_relations(edited) <= relations):
            by_kind[kind].append(edited)
    names = [kind for kind in weights if by_kind[kind]]
    if not names:
        return None
    place = rng.random() * sum(weights[name] for name in names)
    kind = names[-1]
    for name in names:
        place -= weights[name]
        if place < 0.0:
            kind = name
            break
    return kind, by_kind[kind][int(rng.random() * len(by_kind[kind]))]


def _list_relations(proposition: Proposition) -> set[str]:
    return {node.relation for node in iterate_nodes(proposition) if isinstance(node, Related)}


def _edit_inside(node: Any) -> "list[tuple[str, Any]]":
    found = [edit for edit_node in _EDITORS for edit in edit_node(node)]
    if isinstance(node, Is) and node.adjective:
        # `is red` has no shape to change.
        return found + [(kind, replace(node, noun=noun)) for kind, noun in edit_color(node.noun)]
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            for place, each in enumerate(value):
                for kind, edited in _edit_inside(each):
                    found.append((kind, replace(node, **{field.name: (*value[:place], edited, *value[place + 1 :])})))
        elif is_dataclass(value):
            found += [(kind, replace(node, **{field.name: edited})) for kind, edited in _edit_inside(value)]
    return found


def edit_color(node: Any) -> "list[tuple[str, Any]]":
    """Return the noun with every other color."""
    if not isinstance(node, Noun) or node.color is None:
        return []
    return [("color", replace(node, color=color)) for color in COLORS if color != node.color]


def edit_shape(node: Any) -> "list[tuple[str, Any]]":
    """Return the noun with every other shape."""
    if not isinstance(node, Noun) or node.shape is None:
        return []
    return [("shape", replace(node, shape=shape)) for shape in SHAPES if shape != node.shape]


def edit_relation(node: Any) -> "list[tuple[str, Any]]":
    """Return the predicate with every other relation; proximity can only be inverted."""
    if not isinstance(node, Related) or node.relation == "unspecific":
        return []
    if node.relation == "proximity":
        return [("relation", replace(node, value=-node.value))]
    return [
        ("relation", replace(node, relation=relation, value=value))
        for relation, value in _RELATION_VALUES
        if (relation, value) != (node.relation, node.value)
    ]


def edit_selector(node: Any) -> "list[tuple[str, Any]]":
    """Return the phrase with every other selector of the same number of things; proximity can only be inverted."""
    if not isinstance(node, Selected):
        return []
    if node.landmark is not None:
        return [("relation", replace(node, value=-node.value))]
    return [
        ("relation", replace(node, order=order, two=two, value=value))
        for order, two, value in SELECTORS.values()
        if two == node.two and (order, value) != (node.order, node.value)
    ]


def edit_number(node: Any, *, both: bool = False) -> "list[tuple[str, Any]]":
    """Return the clause with every other quantity or modifier; `both`: also with another quantity and modifier."""
    if isinstance(node, Compared) and node.kind == "count":
        # Singular and plural differ in the number of the noun, which other fields preserve.
        return [("number", replace(node, quantity=-node.quantity))]
    if not isinstance(node, Quantified) or node.bare:
        return []
    pairs = count_quantifiers() if node.kind == "count" else ratio_quantifiers()
    return [
        ("number", replace(node, modifier=modifier, quantity=quantity, singular_verb=False))
        for modifier, quantity in pairs
        if (modifier, quantity) != (node.modifier, node.quantity)
        and (both or modifier == node.modifier or quantity == node.quantity)
        and _is_sayable(node, quantity)
    ]


def _is_sayable(node: Quantified, quantity: float) -> bool:
    """Return whether a quantity fits: `one`, `no` and `none` need the singular, unlike some nouns and predicates."""
    singular = (node.kind, quantity) in (("count", 1), ("ratio", 0.0))
    return not singular or node.noun.relative is None or node.bound is not None


def _edit_logic(node: Any) -> "list[tuple[str, Any]]":
    if isinstance(node, Connected):
        if len(node.clauses) > 2:
            others = [each for each in ("and", "or") if each != node.connective]
        else:
            others = [each for each in _CONNECTIVES if each != node.connective]
        return [("logic", replace(node, connective=each, wording="")) for each in others]
    if isinstance(node, Negated):
        return [("logic", node.predicate)]
    return [("logic", node.clause)] if isinstance(node, Denied) else []


_EDITORS: tuple[Callable[[Any], "list[tuple[str, Any]]"], ...] = (
    edit_color,
    edit_shape,
    edit_relation,
    edit_selector,
    edit_number,
    _edit_logic,
)
