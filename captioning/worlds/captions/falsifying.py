"""Draw false captions as the original does: edits of a true caption, with the original's weights.

A noun, relation, selector, quantity or clause is changed. A change can consist of two kinds of edits: a noun may get
another color and another shape, and both clauses of a conjunction may become false.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from captioning.worlds.captions.edits import (
    EDIT_KINDS,
    edit_color,
    edit_number,
    edit_relation,
    edit_selector,
    edit_shape,
)
from captioning.worlds.language.propositions import (
    Compared,
    Connected,
    Denied,
    Describes,
    Extended,
    Is,
    Negated,
    Noun,
    Proposition,
    Quantified,
    Related,
    Selected,
    ThereIs,
)

# The kinds of the edits, and what they give; None if there is nothing to edit.
Edited = tuple[tuple[str, ...], Any] | None
# A weight and a function that draws an edit.
Choice = tuple[float, Callable[[], Edited]]


@dataclass(frozen=True, slots=True)
class Palette:
    """The names that an edit may use."""

    colors: Sequence[str]
    shapes: Sequence[str]
    relations: Sequence[str]


def draw_false(
    proposition: Proposition, *, palette: Palette, rng: np.random.Generator
) -> tuple[str, Proposition] | None:
    """Draw an edit of a true caption, which the caller evaluates; None if there is nothing to edit.

    Returns the kinds of the edit, joined by `+` in the order of `EDIT_KINDS`, and the edited proposition.
    """
    drawn = _Drawing(palette, rng).edit(proposition)
    if drawn is None:
        return None
    kinds, edited = drawn
    return "+".join(kind for kind in EDIT_KINDS if kind in kinds), edited


@dataclass(frozen=True, slots=True)
class _Drawing:
    palette: Palette
    rng: np.random.Generator

    def edit(self, node: Any) -> Edited:
        """Draw an edit of a clause or a part of one."""
        match node:
            case ThereIs(noun):
                return self._edit_field(node, "noun", noun)
            case Describes():
                return self._choose([(1.0, self._open(node, "subject")), (1.0, self._open(node, "predicate"))])
            case Extended():
                return self._choose([(1.0, self._open(node, "first")), (1.0, self._open(node, "predicate"))])
            case Quantified():
                return self._edit_quantified(node)
            case Compared():
                parts = [(1.0, self._open(node, name)) for name in ("noun", "comparison", "predicate")]
                return self._choose([*parts, (1.0, lambda: self._pick("number", edit_number(node)))])
            case Denied(clause):
                return self._choose([(1.0, lambda: (("logic",), clause)), (1.0, self._open(node, "clause"))])
            case Connected():
                return self._edit_connected(node)
            case Noun():
                return self._edit_noun(node)
            case Selected():
                return self._edit_two_ways(edit_selector(node), lambda each: each.order == node.order)
            case Is():
                return self._edit_field(node, "noun", node.noun)
            case Related():
                return self._edit_related(node)
            case Negated(predicate):
                return self._choose([(1.0, lambda: (("logic",), predicate)), (1.0, self._open(node, "predicate"))])
        raise TypeError(f"a part of a proposition is needed, got {node!r}")

    def _choose(self, choices: Sequence[Choice]) -> Edited:
        """Draw one of the choices by weight, and another one if it has nothing to edit."""
        left = list(choices)
        while left:
            point = self.rng.random() * sum(weight for weight, _ in left)
            place = 0
            while place < len(left) - 1 and point >= left[place][0]:
                point -= left[place][0]
                place += 1
            drawn = left.pop(place)[1]()
            if drawn is not None:
                return drawn
        return None

    def _open(self, node: Any, name: str) -> Callable[[], Edited]:
        return lambda: self._edit_field(node, name, getattr(node, name))

    def _edit_field(self, node: Any, name: str, value: Any) -> Edited:
        drawn = self.edit(value)
        return None if drawn is None else (drawn[0], replace(node, **{name: drawn[1]}))

    def _pick(self, kind: str, edits: Sequence[tuple[str, Any]]) -> Edited:
        """Draw one of several edits of one kind."""
        return ((kind,), edits[int(self.rng.random() * len(edits))][1]) if edits else None

    def _edit_noun(self, noun: Noun) -> Edited:
        def color(node: Noun) -> Edited:
            return self._pick("color", [each for each in edit_color(node) if each[1].color in self.palette.colors])

        def shape(node: Noun) -> Edited:
            return self._pick("shape", [each for each in edit_shape(node) if each[1].shape in self.palette.shapes])

        def both() -> Edited:
            colored = color(noun) if noun.color and noun.shape else None
            shaped = shape(colored[1]) if colored is not None else None
            return None if shaped is None else (("color", "shape"), shaped[1])

        choices: list[Choice] = [(1.0, lambda: color(noun)), (1.0, lambda: shape(noun)), (1.0, both)]
        if noun.relative is not None:
            choices.append((1.0, self._open(noun, "relative")))
        return self._choose(choices)

    def _edit_related(self, related: Related) -> Edited:
        allowed = [each for each in edit_relation(related) if each[1].relation in self.palette.relations]
        nouns = ("reference",) if related.comparison is None else ("reference", "comparison")
        references: list[Choice] = [(2.0 / len(nouns), self._open(related, name)) for name in nouns]
        relation = self._edit_two_ways(allowed, lambda each: each.relation == related.relation)
        return self._choose([*references, (2.0, lambda: relation)])

    def _edit_two_ways(self, edits: Sequence[tuple[str, Any]], is_inverse: Callable[[Any], bool]) -> Edited:
        """Draw the inverse of a relation or selector, or another one, with equal odds."""
        inverse = [each for each in edits if is_inverse(each[1])]
        others = [each for each in edits if not is_inverse(each[1])]
        return self._choose([(1.0, partial(self._pick, "relation", each)) for each in (inverse, others)])

    def _edit_quantified(self, node: Quantified) -> Edited:
        edits = edit_number(node)
        others = [each for each in edits if each[1].modifier == node.modifier]
        distances = [abs(each[1].quantity - node.quantity) for each in others]
        nearest = [each for each, gap in zip(others, distances, strict=True) if gap <= min(distances) + 1e-9]
        modifiers = [each for each in edits if each[1].quantity == node.quantity]
        numbers = [(3.0, nearest), (1.0, modifiers), (1.0, others), (1.0, edit_number(node, both=True))]
        return self._choose(
            [
                (3.0, self._open(node, "noun")),
                (3.0, self._open(node, "predicate")),
                *((weight, partial(self._pick, "number", found)) for weight, found in numbers),
            ]
        )

    def _edit_connected(self, node: Connected) -> Edited:
        def edit_clauses(places: Sequence[int]) -> Edited:
            clauses = list(node.clauses)
            kinds: tuple[str, ...] = ()
            for place in places:
                drawn = self.edit(clauses[place])
                if drawn is None:
                    return None
                clauses[place] = drawn[1]
                kinds += drawn[0]
            return kinds, replace(node, clauses=tuple(clauses))

        every = range(len(node.clauses))
        choices: list[Choice] = [(1.0, partial(edit_clauses, [place])) for place in every]
        if node.connective == "and":
            choices.append((1.0, lambda: edit_clauses(every)))
        return self._choose(choices)
