"""Constructions of counts, ratios, number bounds and comparisons of quantities."""

from typing import Any

from captioning.worlds.language.construction import Construction, Parts, make_constant
from captioning.worlds.language.propositions import ALL_BUT_ONE, Compared, Quantified


def _quantified(
    kind: str, quantity: float | None = None, *, bounded: bool = False, fraction: bool = False
) -> Construction:
    """Return the construction of an amount or share: its value is bare until a modifier comes before it."""

    def build(*parts: Any) -> Quantified:
        rest = list(parts)
        amount = rest.pop(0) if quantity is None else quantity
        bound = rest.pop(0) if bounded else None
        noun, said = rest
        predicate, singular = said if fraction else (said, False)
        return Quantified(kind, "eq", amount, noun, predicate, bound, bare=True, singular_verb=singular)

    def take(node: Any) -> Parts | None:
        if not isinstance(node, Quantified) or not node.bare or (node.kind, node.modifier) != (kind, "eq"):
            return None
        if (node.bound is not None) != bounded or quantity not in (None, node.quantity):
            return None
        said = (node.predicate, node.singular_verb) if fraction else node.predicate
        return (
            *(() if quantity is not None else (node.quantity,)),
            *((node.bound,) if bounded else ()),
            node.noun,
            said,
        )

    return Construction(build, take)


def _modify(modifier: str, node: Quantified) -> Quantified:
    return Quantified(
        node.kind, modifier, node.quantity, node.noun, node.predicate, node.bound, singular_verb=node.singular_verb
    )


def _take_modified(node: Any) -> Parts | None:
    if not isinstance(node, Quantified) or node.bare:
        return None
    bare = Quantified(
        node.kind,
        "eq",
        node.quantity,
        node.noun,
        node.predicate,
        node.bound,
        bare=True,
        singular_verb=node.singular_verb,
    )
    return node.modifier, bare


def _half_of(modifier: str) -> Construction:
    """Return the construction of `most` (gt) and `few` (lt)."""

    def take(node: Any) -> Parts | None:
        matches = isinstance(node, Quantified) and (
            (node.kind, node.modifier, node.quantity, node.bound, node.bare) == ("ratio", modifier, 0.5, None, True)
        )
        return (node.noun, node.predicate) if matches else None

    return Construction(lambda noun, said: Quantified("ratio", modifier, 0.5, noun, said, bare=True), take)


def _compared(kind: str, modifier: str, quantity: float) -> Construction:
    def take(node: Any) -> Parts | None:
        if not isinstance(node, Compared) or not node.bare:
            return None
        if (node.kind, node.modifier, node.quantity) != (kind, modifier, quantity):
            return None
        return node.noun, node.comparison, node.predicate

    return Construction(lambda noun, other, said: Compared(kind, modifier, quantity, noun, other, said), take)


def _several(sign: int) -> Construction:
    def take(node: Any) -> Parts | None:
        if not isinstance(node, Compared) or (node.kind, node.modifier) != ("count", "eq") or node.quantity * sign < 2:
            return None
        return int(node.quantity * sign), node.noun, node.comparison, node.predicate

    return Construction(lambda n, noun, other, said: Compared("count", "eq", sign * n, noun, other, said), take)


def _take_multiple(node: Any, *, bare: bool) -> Parts | None:
    if not isinstance(node, Compared) or node.kind != "ratio" or node.bare != bare or node.quantity == 1.0:
        return None
    parts = (node.quantity, node.noun, node.comparison, node.predicate)
    if bare:
        return parts if node.modifier == "eq" else None
    return (node.modifier, *parts)


_QUANTITIES = {
    "modified": Construction(_modify, _take_modified),
    "most": _half_of("gt"),
    "few": _half_of("lt"),
    "one": _quantified("count", 1),
    "count": _quantified("count"),
    "one_of": _quantified("count", 1, bounded=True),
    "count_of": _quantified("count", bounded=True),
    "no": _quantified("ratio", 0.0),
    "all": _quantified("ratio", 1.0),
    "all_but_one": _quantified("count", ALL_BUT_ONE),
    "half": _quantified("ratio", 0.5),
    "fraction": _quantified("ratio", fraction=True),
    "none_of": _quantified("ratio", 0.0, bounded=True),
    "all_of": _quantified("ratio", 1.0, bounded=True),
    "half_of": _quantified("ratio", 0.5, bounded=True),
    "fraction_of": _quantified("ratio", bounded=True, fraction=True),
    "as_many": Construction(
        lambda quantity, noun, other, said: Compared("ratio", "eq", quantity, noun, other, said),
        lambda node: _take_multiple(node, bare=True),
    ),
    "modified_as_many": Construction(
        lambda modifier, quantity, noun, other, said: Compared(
            "ratio", modifier, quantity, noun, other, said, bare=False
        ),
        lambda node: _take_multiple(node, bare=False),
    ),
    "equally_many": _compared("ratio", "eq", 1.0),
    "more": _compared("ratio", "gt", 1.0),
    "less": _compared("ratio", "lt", 1.0),
    "several_more": _several(1),
    "several_less": _several(-1),
    "one_more": _compared("count", "eq", 1),
    "one_less": _compared("count", "eq", -1),
}

_NUMBERS = {"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_FRACTIONS = {
    "quarter": 0.25,
    "third": 0.33,
    "two_thirds": 0.67,
    "three_quarters": 0.75,
    "half_as": 0.5,
    "twice_as": 2.0,
}

AMOUNTS: dict[str, Construction] = {
    **_QUANTITIES,
    **{name: make_constant(name) for name in ("eq", "neq", "lt", "leq", "geq", "gt")},
    **{name: make_constant(number) for name, number in {**_NUMBERS, **_FRACTIONS}.items()},
}
