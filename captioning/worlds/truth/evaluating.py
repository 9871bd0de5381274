"""Evaluation of propositions in worlds: 1 true, 0 ambiguous, -1 false.

A predicate divides entities into those that agree (A), those that disagree, and the rest; N are all that do not
disagree. A state is the pair (A, N) of sets as represented in `scenes.py`. All functions work for one world or many.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.language.propositions import (
    Compared,
    Connected,
    Denied,
    Describes,
    Extended,
    Is,
    Negated,
    Noun,
    Predicate,
    Proposition,
    Quantified,
    Related,
    Selected,
    ThereIs,
)
from captioning.worlds.model import World
from captioning.worlds.truth.profiles import SAMPLES, Profile
from captioning.worlds.truth.quantities import compare_quantity, count_members, divide_counts
from captioning.worlds.truth.scenes import Mask, Scenes
from captioning.worlds.truth.selecting import find_selected

State = tuple[Mask, Mask]
# An int in -1, 0, 1, or an array of them.
Value = Any


def evaluate(proposition: Proposition, world: World, *, profile: Profile = SAMPLES) -> int:
    """Return the value of a proposition in a world: 1, 0 or -1."""
    return int(evaluate_scenes(proposition, Scenes([world], profile=profile, single=True)))


def evaluate_worlds(
    proposition: Proposition, worlds: Sequence[World], *, profile: Profile = SAMPLES
) -> NDArray[np.int64]:
    """Return the values of one proposition in many worlds, shape (n_worlds,)."""
    if not worlds:
        return np.zeros(0, dtype=np.int64)
    return np.asarray(evaluate_scenes(proposition, Scenes(worlds, profile=profile)), dtype=np.int64)


def evaluate_propositions(
    propositions: Sequence[Proposition], world: World, *, profile: Profile = SAMPLES
) -> NDArray[np.int64]:
    """Return the values of many propositions in one world, shape (n_propositions,)."""
    scenes = Scenes([world], profile=profile, single=True)
    return np.array([evaluate_scenes(each, scenes) for each in propositions], dtype=np.int64)


def evaluate_scenes(proposition: Proposition, scenes: Scenes) -> Value:
    """Return the value of a proposition: an int for a single world, else an array of shape (n_worlds,)."""
    match proposition:
        case ThereIs() | Describes() | Extended():
            return _judge_existence(describe(proposition, scenes))
        case Quantified():
            return _evaluate_quantified(proposition, scenes)
        case Compared():
            return _evaluate_compared(proposition, scenes)
        case Denied(clause):
            return -evaluate_scenes(clause, scenes)
        case Connected():
            return _evaluate_connected(proposition, scenes)
    raise TypeError(f"a proposition is needed, got {proposition!r}")


def describe(clause: ThereIs | Describes | Extended, scenes: Scenes) -> State:
    """Return the state of the entities whose existence a clause asserts."""
    if isinstance(clause, ThereIs):
        return describe_noun(clause.noun, scenes)
    if isinstance(clause, Describes):
        return _intersect(describe_subject(clause.subject, scenes), describe_predicate(clause.predicate, scenes))
    return _intersect(describe(clause.first, scenes), describe_predicate(clause.predicate, scenes))


def describe_noun(noun: Noun, scenes: Scenes) -> State:
    """Return the state of a noun, in which A equals N unless it has a relative clause."""
    members = scenes.everything
    if noun.color is not None:
        members = members & scenes.find_colored(noun.color)
    if noun.shape is not None:
        members = members & scenes.find_shaped(noun.shape)
    if noun.relative is None:
        return members, members
    return _intersect((members, members), describe_predicate(noun.relative, scenes))


def describe_subject(subject: Noun | Selected, scenes: Scenes) -> State:
    """Return the state of a subject."""
    if isinstance(subject, Noun):
        return describe_noun(subject, scenes)
    scope, _ = describe_noun(subject.noun, scenes)
    landmark = None if subject.landmark is None else describe_noun(subject.landmark, scenes)[0]
    return find_selected(subject, scope, landmark, scenes)


def describe_predicate(predicate: Predicate, scenes: Scenes) -> State:
    """Return the state of a predicate."""
    if isinstance(predicate, Is):
        return describe_noun(predicate.noun, scenes)
    if isinstance(predicate, Negated):
        agree, open_ = describe_predicate(predicate.predicate, scenes)
        if isinstance(predicate.predicate, Related) and not scenes.profile.negation_negates:
            return agree, open_
        return scenes.everything & ~open_, scenes.everything & ~agree
    if predicate.relation == "proximity":
        return _describe_proximity(predicate, scenes)
    return _describe_relation(predicate, scenes)


def _describe_relation(predicate: Related, scenes: Scenes) -> State:
    agreeing, open_ = describe_noun(predicate.reference, scenes)
    agree_rows, disagree_rows = scenes.relate(predicate.relation, predicate.value)
    agree: Mask = 0
    disagree: Mask = 0
    for e in range(scenes.n_entities):
        agree = agree | (((agree_rows[e] & agreeing) != 0) << e)
        contradicted = ((open_ & ~disagree_rows[e]) == 0) & (open_ != 1 << e)
        disagree = disagree | (contradicted << e)
    return _settle(agree, disagree, scenes)


def _describe_proximity(predicate: Related, scenes: Scenes) -> State:
    if predicate.comparison is None:
        raise ValueError(f"proximity needs a comparison: {predicate}")
    near, _ = describe_noun(predicate.reference, scenes)
    far, _ = describe_noun(predicate.comparison, scenes)
    near_agreeing = _make_unique(near) if predicate.definite == "reference" else near
    far_agreeing = _make_unique(far) if predicate.definite == "comparison" else far
    definite = near if predicate.definite == "reference" else far
    agree_rows, disagree_rows = scenes.compare_distances(predicate.value)
    agree: Mask = 0
    disagree: Mask = 0
    for e in range(scenes.n_entities):
        agrees: Any = False
        contradicted: Any = True
        for p in range(scenes.n_entities):
            if scenes.single and not near >> p & 1:
                continue
            bit = 1 << p
            others = far & ~bit
            if p != e:
                agrees = agrees | (
                    ((near_agreeing & bit) != 0) & ((agree_rows[e][p] & far_agreeing & ~bit & ~(1 << e)) != 0)
                )
            contradicted = contradicted & (((near & bit) == 0) | ((others & ~disagree_rows[e][p]) == 0))
        contradicted = contradicted & (near != 1 << e) & (definite != 1 << e)
        agree = agree | (agrees << e)
        disagree = disagree | (contradicted << e)
    return _settle(agree, disagree, scenes)


def _settle(agree: Mask, disagree: Mask, scenes: Scenes) -> State:
    """Return the state of two sets; entities in both disagree."""
    open_ = scenes.everything & ~disagree
    return agree & open_, open_


def _intersect(first: State, second: State) -> State:
    return first[0] & second[0], first[1] & second[1]


def _make_unique(members: Mask) -> Mask:
    """Return the set if it has one member, else the empty set."""
    return members * ((members & (members - 1)) == 0)


def _judge_existence(state: State) -> Value:
    agree, open_ = state
    return (agree != 0) * 1 - (open_ == 0) * 1


def _evaluate_quantified(proposition: Quantified, scenes: Scenes) -> Value:
    restrictor = describe_noun(proposition.noun, scenes)
    both = _intersect(restrictor, describe_predicate(proposition.predicate, scenes))
    lower, upper = count_members(both[0]), count_members(both[1])
    fewest, most = count_members(restrictor[0]), count_members(restrictor[1])
    target = proposition.quantity
    if proposition.kind == "ratio":
        lower, upper = divide_counts(lower, most, limit=0.0), divide_counts(upper, fewest)
    elif target < 0:
        # Counted back from the number of things, as in `all but one`.
        lower, upper, target = lower - most, upper - fewest, target + 1
    value = compare_quantity(proposition.modifier, lower, upper, target, profile=scenes.profile)
    if proposition.bound is None:
        return value
    bound = proposition.bound
    exact = (fewest == bound) * 1
    impossible = ((fewest > bound) | (most < bound)) * 1
    undecided = 1 - exact - impossible
    return exact * value - impossible - undecided * ((value < 0) * 1)


def _evaluate_compared(proposition: Compared, scenes: Scenes) -> Value:
    said = describe_predicate(proposition.predicate, scenes)
    first = _intersect(describe_noun(proposition.noun, scenes), said)
    second = _intersect(describe_noun(proposition.comparison, scenes), said)
    fewest, most = count_members(first[0]), count_members(first[1])
    other_fewest, other_most = count_members(second[0]), count_members(second[1])
    if proposition.kind == "count":
        lower, upper = fewest - other_most, most - other_fewest
    else:
        lower, upper = divide_counts(fewest, other_most), divide_counts(most, other_fewest)
    return compare_quantity(proposition.modifier, lower, upper, proposition.quantity, profile=scenes.profile)


def _evaluate_connected(proposition: Connected, scenes: Scenes) -> Value:
    values = [evaluate_scenes(clause, scenes) for clause in proposition.clauses]
    first = values[0]
    if proposition.connective == "if":
        return _greater(first, -values[1])
    if proposition.connective == "iff":
        return _greater(_smaller(first, values[1]), _smaller(-first, -values[1]))
    choose = _smaller if proposition.connective == "and" else _greater
    for value in values[1:]:
        first = choose(first, value)
    return first


# For ints and arrays, unlike `min`, and without converting ints to arrays, unlike `numpy.minimum`.
def _smaller(first: Value, second: Value) -> Value:
    return (first + second - abs(first - second)) // 2


def _greater(first: Value, second: Value) -> Value:
    return (first + second + abs(first - second)) // 2
