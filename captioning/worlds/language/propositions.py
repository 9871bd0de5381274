"""Propositions, the meanings of captions; fields marked *form* affect only the wording and not the truth.

The names follow the original's semantic trees: the `value` of a relation is -1 for left, above, behind, smaller,
darker, closer and different, and 1 for their opposites; modifiers are eq, neq, lt, leq, geq, gt.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

# The quantity of `all but one`: counts below 0 are counted back from the number of things, which is -1.
ALL_BUT_ONE = -2


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of thing: `red square`, `red shape`, `square` or `shape`, optionally with `that is ...`."""

    color: str | None = None
    shape: str | None = None
    relative: "Predicate | None" = None


@dataclass(frozen=True, slots=True)
class Is:
    """`is a red square`; *form*: `adjective` for `is red`."""

    noun: Noun
    adjective: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """`is above a square`, `is bigger than a square`, `exists besides a square`.

    `relation` is x, y, z, size, shade, shape, color, proximity or unspecific. Proximity compares the distance to
    `reference` with that of `comparison`: `closer to a P than the Q` (`definite` is "comparison") or `closer to the P
    than a Q` ("reference").
    """

    relation: str
    value: int
    reference: Noun
    comparison: Noun | None = None
    definite: str = ""


@dataclass(frozen=True, slots=True)
class Negated:
    """`is not ...`."""

    predicate: "Predicate"


Predicate: TypeAlias = Is | Related | Negated


@dataclass(frozen=True, slots=True)
class Selected:
    """`the left square`, `the biggest red shape`, `the square closest to the cross`.

    `order` is x, y, size, shade or proximity (only the last has a `landmark`); `two` is true for a comparative, which
    requires exactly two entities. *Form*: `inside`, for `the red bigger square` and `the closest square to the cross`.
    """

    order: str
    two: bool
    value: int
    noun: Noun
    landmark: Noun | None = None
    inside: bool = False


@dataclass(frozen=True, slots=True)
class ThereIs:
    """`there is a red square`."""

    noun: Noun


@dataclass(frozen=True, slots=True)
class Describes:
    """`a red square is above a cross`, `the left square is red`."""

    subject: Noun | Selected
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Extended:
    """Two statements about a thing: `a square is red and is above a cross`; *form*: `and it is above a cross`."""

    first: ThereIs | Describes
    predicate: Predicate
    pronoun: bool = False


@dataclass(frozen=True, slots=True)
class Quantified:
    """`exactly two squares are red`, `less than half the squares are red`, `at least two of the six squares are red`.

    `kind` is count or ratio, `bound` the number after `of the`. A count of -2 is `all but one`, as in the original.
    *Form*: `bare` (no modifier), `singular_verb` (`a third of the squares is red`).
    """

    kind: str
    modifier: str
    quantity: float
    noun: Noun
    predicate: Predicate
    bound: int | None = None
    bare: bool = False
    singular_verb: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """`two more squares than circles are red` (count), `twice as many squares as circles are red` (ratio).

    `quantity` is the difference or the quotient of the two counts. *Form*: `bare` (no modifier before `half as many`).
    """

    kind: str
    modifier: str
    quantity: float
    noun: Noun
    comparison: Noun
    predicate: Predicate
    bare: bool = True


@dataclass(frozen=True, slots=True)
class Denied:
    """`it is not the case that ...`."""

    clause: "Clause"


Clause: TypeAlias = ThereIs | Describes | Quantified | Compared | Denied


@dataclass(frozen=True, slots=True)
class Connected:
    """Clauses joined by the `connective` and, or, if (consequent first, then antecedent) or iff.

    *Form*: `wording` is "but", "either" or "if first" (`if ANTECEDENT CONSEQUENT`), or empty.
    """

    connective: str
    clauses: "tuple[Proposition, ...]"
    wording: str = ""


Proposition: TypeAlias = Clause | Extended | Connected

_FORM_FIELDS = {
    "adjective": False,
    "inside": False,
    "pronoun": False,
    "bare": True,
    "singular_verb": False,
    "wording": "",
}


def strip_form(proposition: Any) -> Any:
    """Return the proposition with fixed values for all *form* fields; equal results have the same meaning."""
    if isinstance(proposition, tuple):
        return tuple(strip_form(each) for each in proposition)
    if not is_dataclass(proposition) or isinstance(proposition, type):
        return proposition
    changes = {
        field.name: _FORM_FIELDS.get(field.name, strip_form(getattr(proposition, field.name)))
        for field in fields(proposition)
    }
    return replace(proposition, **changes)


def iterate_nodes(proposition: Any) -> Iterator[Any]:
    """Yield the proposition and all values nested in it, outermost first."""
    if isinstance(proposition, tuple):
        for each in proposition:
            yield from iterate_nodes(each)
    elif is_dataclass(proposition) and not isinstance(proposition, type):
        yield proposition
        for field in fields(proposition):
            yield from iterate_nodes(getattr(proposition, field.name))
