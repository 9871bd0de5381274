"""Hypothesis strategies for worlds and for propositions that can be expressed in the language."""

from typing import Any

from hypothesis import strategies as st

from captioning.worlds.language.phrases import RELATIONS, SELECTORS
from captioning.worlds.language.propositions import (
    ALL_BUT_ONE,
    Compared,
    Connected,
    Denied,
    Describes,
    Extended,
    Is,
    Negated,
    Noun,
    Quantified,
    Related,
    Selected,
    ThereIs,
)
from captioning.worlds.model import Entity, World
from captioning.worlds.vocabulary import COLORS, SHAPES

MODIFIERS = st.sampled_from(("eq", "neq", "lt", "leq", "geq", "gt"))
colors = st.sampled_from(tuple(COLORS))
plain_nouns = st.builds(Noun, st.none() | colors, st.none() | st.sampled_from(SHAPES))
adjectives = st.builds(lambda color: Is(Noun(color), adjective=True), colors)


def make_nouns(depth: int, *, plural: bool) -> st.SearchStrategy[Noun]:
    """Nouns behind an article or in the plural, perhaps with a relative clause."""
    if depth == 0:
        return plain_nouns
    relative = make_predicates(depth - 1, plural=plural)
    return plain_nouns | st.builds(lambda noun, said: Noun(noun.color, noun.shape, said), plain_nouns, relative)


def make_relations(depth: int) -> st.SearchStrategy[Related]:
    """Relations to a noun with an article."""
    nouns = make_nouns(depth, plural=False)
    simple = st.builds(lambda kind, noun: Related(*kind, noun), st.sampled_from(tuple(RELATIONS.values())), nouns)
    signs = st.sampled_from((-1, 1))
    near = st.builds(lambda s, p, q: Related("proximity", s, p, q, "comparison"), signs, nouns, plain_nouns)
    far = st.builds(lambda s, p, q: Related("proximity", s, p, q, "reference"), signs, plain_nouns, nouns)
    return simple | near | far


def make_predicates(depth: int, *, plural: bool) -> st.SearchStrategy[Any]:
    """What is said of one or of several things."""
    said = (
        adjectives | st.builds(Is, plain_nouns if plural else make_nouns(depth, plural=False)) | make_relations(depth)
    )
    every = said | st.builds(Negated, said)
    if plural:
        return every
    besides = st.builds(lambda noun: Related("unspecific", 1, noun), make_nouns(depth, plural=False))
    return every | besides | st.builds(Negated, besides)


def _make_selected() -> st.SearchStrategy[Selected]:
    simple = st.builds(
        lambda kind, noun: Selected(*kind, noun), st.sampled_from(tuple(SELECTORS.values())), plain_nouns
    )
    inside = st.builds(
        lambda kind, color, shape: Selected(*kind, Noun(color, shape), inside=True),
        st.sampled_from(tuple(SELECTORS.values())),
        colors,
        st.none() | st.sampled_from(SHAPES),
    )
    landmark = st.builds(
        Selected, st.just("proximity"), st.booleans(), st.sampled_from((-1, 1)), plain_nouns, plain_nouns, st.booleans()
    )
    return simple | inside | landmark


def _make_quantified(depth: int) -> st.SearchStrategy[Quantified]:
    one, several = make_predicates(depth, plural=False), make_predicates(depth, plural=True)
    nouns, bounds = make_nouns(depth, plural=True), st.none() | st.integers(2, 8)

    def modify(node: Quantified, modifier: str) -> Quantified:
        return Quantified(
            node.kind, modifier, node.quantity, node.noun, node.predicate, node.bound, False, node.singular_verb
        )

    counts = st.builds(
        Quantified, st.just("count"), MODIFIERS, st.sampled_from((0, 2, 3, 4, 5)), nouns, several, bounds
    )
    but_one = st.builds(
        lambda noun, said: Quantified("count", "eq", ALL_BUT_ONE, noun, said, bare=True), nouns, several
    )
    ones = st.builds(Quantified, st.just("count"), MODIFIERS, st.just(1), plain_nouns, one)
    shares = st.builds(
        lambda q, noun, said, bound: Quantified("ratio", "eq", q, noun, said, bound, bare=True),
        st.sampled_from((0.25, 0.33, 0.5, 0.67, 0.75, 1.0)),
        nouns,
        several,
        bounds,
    )
    nones = st.builds(lambda noun, said: Quantified("ratio", "eq", 0.0, noun, said, bare=True), plain_nouns, one)
    nones_of = st.builds(
        lambda noun, said, bound: Quantified("ratio", "eq", 0.0, noun, said, bound, bare=True),
        nouns,
        one,
        st.integers(2, 8),
    )
    singular = st.builds(
        lambda q, noun, said: Quantified("ratio", "eq", q, noun, said, bare=True, singular_verb=True),
        st.sampled_from((0.25, 0.33, 0.67, 0.75)),
        nouns,
        adjectives | st.builds(Is, plain_nouns),
    )
    bare = shares | but_one | nones | nones_of | singular
    halves = st.builds(
        lambda modifier, noun, said: Quantified("ratio", modifier, 0.5, noun, said, bare=True),
        st.sampled_from(("lt", "gt")),
        nouns,
        several,
    )
    return counts | ones | bare | halves | st.builds(modify, bare, MODIFIERS)


def _make_compared(depth: int) -> st.SearchStrategy[Compared]:
    several = make_predicates(depth, plural=True)
    nouns = make_nouns(depth, plural=True)
    differences = st.sampled_from((-5, -4, -3, -2, 2, 3, 4, 5))
    return (
        st.builds(Compared, st.just("count"), st.just("eq"), differences, nouns, nouns, several)
        | st.builds(
            Compared,
            st.just("count"),
            st.just("eq"),
            st.sampled_from((-1, 1)),
            plain_nouns,
            nouns,
            make_predicates(depth, plural=False),
        )
        | st.builds(
            Compared, st.just("ratio"), st.sampled_from(("lt", "eq", "gt")), st.just(1.0), nouns, nouns, several
        )
        | st.builds(Compared, st.just("ratio"), st.just("eq"), st.sampled_from((0.5, 2.0)), nouns, nouns, several)
        | st.builds(
            lambda m, q, noun, other, said: Compared("ratio", m, q, noun, other, said, bare=False),
            MODIFIERS,
            st.sampled_from((0.5, 2.0)),
            nouns,
            nouns,
            several,
        )
    )


def make_clauses(depth: int = 1) -> st.SearchStrategy[Any]:
    """Clauses without a connective."""
    there = st.builds(ThereIs, make_nouns(depth, plural=False))
    one = make_predicates(depth, plural=False)
    about = st.builds(Describes, make_nouns(depth, plural=False) | _make_selected(), one)
    flat = there | about | _make_quantified(depth) | _make_compared(depth)
    return flat | st.builds(Denied, flat)


def make_propositions(depth: int = 1) -> st.SearchStrategy[Any]:
    """Everything that the language can say, to a depth of relative clauses."""
    clauses = make_clauses(depth)
    one = make_predicates(depth, plural=False)
    there = st.builds(ThereIs, make_nouns(depth, plural=False))
    about = st.builds(Describes, make_nouns(depth, plural=False) | _make_selected(), one)
    pairs, triples = st.tuples(clauses, clauses), st.tuples(clauses, clauses, clauses)
    wordings = st.sampled_from(
        (("and", ""), ("and", "but"), ("or", ""), ("or", "either"), ("iff", ""), ("if", ""), ("if", "if first"))
    )
    return (
        clauses
        | st.builds(lambda pair, kind: Connected(kind[0], pair, kind[1]), pairs, wordings)
        | st.builds(Connected, st.sampled_from(("and", "or")), triples)
        | st.builds(Extended, about, one, st.booleans())
        | st.builds(lambda first, said: Extended(first, said, pronoun=True), there, one)
    )


_unit = st.floats(0.05, 0.95, allow_nan=False)
entities = st.builds(
    Entity,
    shape=st.sampled_from(SHAPES[:3]),
    color=st.sampled_from(tuple(COLORS)[:3]),
    shade=st.floats(-0.4, 0.4),
    x=_unit,
    y=_unit,
    half_width=st.floats(0.03, 0.12),
    half_height=st.floats(0.03, 0.12),
    rotation=st.floats(0.0, 0.99),
)
worlds = st.builds(lambda each: World(tuple(each), size=32), st.lists(entities, max_size=5))
