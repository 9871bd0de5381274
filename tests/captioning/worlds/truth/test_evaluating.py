"""Tests that the published labels are computed from text alone, and that connectives obey the laws of logic."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captioning.worlds.language import parse_caption
from captioning.worlds.language.propositions import Connected, Denied, Describes, Negated, Noun, Predicate
from captioning.worlds.model import Entity, World
from captioning.worlds.truth.evaluating import evaluate, evaluate_propositions, evaluate_worlds
from captioning.worlds.truth.profiles import HEAD, PROFILES, SAMPLES
from captioning.worlds.truth.scenes import MOST_ENTITIES, Scenes
from tests.captioning.worlds.samples import SETS, read_sample
from tests.captioning.worlds.strategies import make_clauses, make_predicates, make_propositions, plain_nouns, worlds


def make_entity(shape: str = "square", color: str = "red", x: float = 0.5, y: float = 0.5, **changes: float) -> Entity:
    """Return a small entity; what matters to a test is given."""
    values = {"shade": 0.0, "half_width": 0.05, "half_height": 0.05, "rotation": 0.0, **changes}
    return Entity(shape=shape, color=color, x=x, y=y, **values)


@pytest.mark.parametrize("name", SETS)
def test_published_labels_follow_from_text_alone(name: str, data_folder: Path) -> None:
    sample = read_sample(data_folder, name)

    found = [
        [{1: 1.0, -1: 0.0}.get(int(value)) for value in evaluate_propositions(list(map(parse_caption, texts)), world)]
        for texts, world in zip(sample.captions, sample.worlds, strict=True)
    ]

    assert found == [list(row) for row in sample.labels]


@pytest.mark.parametrize("name", SETS)
def test_last_state_differs_only_where_rules_changed(name: str, data_folder: Path) -> None:
    """The sets without axes, fractions and proximity keep their labels; the others do not keep all."""
    sample = read_sample(data_folder, name)

    n_equal = sum(
        evaluate(parse_caption(text), world, profile=HEAD) == (1 if label else -1)
        for texts, world, labels in zip(sample.captions, sample.worlds, sample.labels, strict=True)
        for text, label in zip(texts, labels, strict=True)
    )

    assert (n_equal < 100) == (name in ("relational-spatial", "logical-full"))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_values_for_many_worlds_equal_those_for_each_world(profile, data_folder: Path) -> None:
    for name in SETS:
        sample = read_sample(data_folder, name)
        for text in sample.captions[0] + sample.captions[7]:
            proposition = parse_caption(text)

            together = evaluate_worlds(proposition, sample.worlds, profile=profile)

            assert together.tolist() == [evaluate(proposition, world, profile=profile) for world in sample.worlds]


@settings(max_examples=150, deadline=None)
@given(make_propositions(), st.lists(worlds, min_size=1, max_size=3), st.sampled_from(tuple(PROFILES.values())))
def test_any_proposition_has_a_value_and_batches_do_not_matter(proposition, some, profile) -> None:
    together = evaluate_worlds(proposition, some, profile=profile)

    assert set(together.tolist()) <= {-1, 0, 1}
    assert together.tolist() == [evaluate(proposition, world, profile=profile) for world in some]


@settings(max_examples=150, deadline=None)
@given(make_clauses(), make_clauses(), worlds)
def test_de_morgan_double_negation_and_definitions(first, second, world) -> None:
    def value(proposition) -> int:
        return evaluate(proposition, world)

    both, either = Connected("and", (first, second)), Connected("or", (first, second))
    neither = Connected("and", (Denied(first), Denied(second)))
    not_both = Connected("or", (Denied(first), Denied(second)))

    assert value(Denied(both)) == value(not_both)
    assert value(Denied(either)) == value(neither)
    assert value(Denied(Denied(first))) == value(first)
    assert value(Connected("if", (first, second))) == value(Connected("or", (first, Denied(second))))
    conditions = (Connected("if", (first, second)), Connected("if", (second, first)))
    assert value(Connected("iff", (first, second))) == value(Connected("and", conditions))


@settings(max_examples=100, deadline=None)
@given(plain_nouns, make_predicates(0, plural=False), worlds)
def test_a_predicate_negated_twice_is_itself(subject: Noun, predicate: Predicate, world: World) -> None:
    twice = Describes(subject, Negated(Negated(predicate)))

    assert evaluate(twice, world) == evaluate(Describes(subject, predicate), world)


# Two squares and a circle in a row. The values were worked out by hand from the table of rules.
ROW = World(
    (
        make_entity("square", "red", x=0.2, y=0.5),
        make_entity("square", "blue", x=0.5, y=0.5, half_width=0.06),
        make_entity("circle", "red", x=0.9, y=0.5, shade=0.3),
    ),
    size=100,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exactly two of the two squares are red .", -1),
        ("exactly one of the two squares is red .", 1),
        ("exactly one of the three squares is red .", -1),
        ("as many squares as circles are red .", 1),
        ("one more square than circles is blue .", 1),
        ("twice as many shapes as circles are red .", 1),
        ("less squares than circles are red .", -1),
        ("all crosses are red .", -1),
        ("exactly all but one shapes are red .", 1),
        ("more than all but one shapes are red .", -1),
        ("all but one squares are circles .", -1),
        ("not all but one crosses are red .", 1),
        ("a square exists besides a square .", 1),
        # The only circle is its own reference, so it does not disagree.
        ("a circle exists besides a circle .", 0),
        ("a circle exists besides a cross .", -1),
        ("a square does not exist besides a cross .", 1),
        ("at least no shape is red .", 1),
        ("the left square is red .", 1),
        ("the left shape is red .", 0),
        ("the leftmost shape is a circle .", -1),
        ("a square is not to the right of a circle .", 1),
        ("a circle is not to the right of a square .", -1),
        ("a square is closer to a square than the circle .", 1),
        ("a red square is farther from a circle than the blue square .", 1),
        ("there is a square that is to the left of a square .", 1),
        ("there is a circle that is to the left of a square .", -1),
        ("exactly two squares that are to the left of a circle are red .", -1),
        ("a square is red and is to the left of a blue square .", 1),
        # The blue square does not disagree, since it is itself one of the squares: the rules leave this open.
        ("a square is blue and it is to the left of a square .", 0),
        ("a square is blue and it is to the left of a red square .", -1),
        ("there is a red shape and it is a circle .", 1),
        ("it is not the case that there is a cross .", 1),
        ("a square is red but it is not the case that a cross is red .", 1),
    ],
)
def test_values_worked_out_by_hand(text: str, expected: int) -> None:
    assert evaluate(parse_caption(text), ROW) == expected


def test_more_than_half_includes_exactly_half_only_in_profile_s() -> None:
    world = World((make_entity("square", "red"), make_entity("square", "blue")))
    proposition = parse_caption("more than half the squares are red .")

    assert (evaluate(proposition, world, profile=SAMPLES), evaluate(proposition, world, profile=HEAD)) == (1, -1)


def test_less_than_half_as_many_includes_exactly_half_only_in_profile_s() -> None:
    world = World(tuple(make_entity(shape) for shape in ("square", "circle", "circle")))
    red = parse_caption("less than half as many squares as circles are red .")
    assert (evaluate(red, world, profile=SAMPLES), evaluate(red, world, profile=HEAD)) == (1, -1)
    # Whole multiples have no tolerance.
    double = parse_caption("more than twice as many circles as squares are red .")
    assert (evaluate(double, world, profile=SAMPLES), evaluate(double, world, profile=HEAD)) == (-1, -1)


def test_negated_relation_is_ignored_by_the_last_state() -> None:
    proposition = parse_caption("a circle is not to the right of a square .")

    assert evaluate(proposition, ROW, profile=SAMPLES) == -1
    assert evaluate(proposition, ROW, profile=HEAD) == 1


def test_behind_depends_on_overlap_and_order() -> None:
    under, over = make_entity("square", "red", half_width=0.2, half_height=0.2), make_entity("circle", "blue")
    apart = make_entity("cross", "green", x=0.9, y=0.9)
    world = World((under, over, apart), size=100)

    overlapping = World((under, make_entity("circle", "blue", half_width=0.15, half_height=0.15), apart), size=100)

    assert evaluate(parse_caption("a square is behind a circle ."), overlapping) == 1
    assert evaluate(parse_caption("a circle is behind a square ."), overlapping) == -1
    assert evaluate(parse_caption("a square is behind a cross ."), overlapping) == -1
    # An overlap of at most a tenth of the larger one does not decide.
    assert evaluate(parse_caption("a square is behind a circle ."), world) == 0


def test_too_many_entities_are_refused() -> None:
    crowd = World((make_entity(),) * (MOST_ENTITIES + 1))

    with pytest.raises(ValueError, match="at most 62 entities, got 63"):
        Scenes([crowd])


def test_no_worlds_have_no_values() -> None:
    assert np.array_equal(evaluate_worlds(parse_caption("there is a square ."), []), np.zeros(0))
