"""Tests of each rule on small sentences with the real model.

The expected tuples are what the sentence says, written by hand; relations stand as subject, object, relation.
"""

import pytest

from metrics_plugins.metrics.scene_graph.parser import parse_captions

SENTENCES = [
    # Subject, verb, object; joined nouns share a role, joined verbs a subject.
    ("a man throws a ball", "man, ball, throw; man; ball"),
    ("a brown dog chases a cat and a bird", "dog, cat, chase; dog, bird, chase; dog, brown; dog; cat; bird"),
    ("a man and a woman ride horses", "man, horse, ride; woman, horse, ride; man; woman; horse"),
    ("a girl sings and plays a guitar", "girl, guitar, play; girl, sing; girl; guitar"),
    ("a soldier riding a camel and holding a flag",
     "soldier, camel, ride; soldier, flag, hold; soldier; camel; flag"),
    # A verb alone is an attribute; particles and prepositions belong to the name of a relation.
    ("two dogs play", "dog, play; dog, two; dog"),
    ("a woman sits on a bench", "woman, bench, sit on; woman; bench"),
    ("a boy picks up a stone", "boy, stone, pick up; boy; stone"),
    ("a waiter walks out of a kitchen", "waiter, kitchen, walk out of; waiter; kitchen"),
    # Passive, with and without the one who acts.
    ("a plate is washed by a waiter", "waiter, plate, wash; plate; waiter"),
    ("a truck is parked near a barn", "truck, barn, park near; truck; barn"),
    # "be": a quality, a thing, a place; "there is".
    ("a kite is red and yellow", "kite, red; kite, yellow; kite"),
    ("a child looks happy", "child, happy; child"),
    ("the animal is a zebra", "animal, zebra, be; animal; zebra"),
    ("an elephant is in the water", "elephant, water, in; elephant; water"),
    ("the lamp is next to a sofa", "lamp, sofa, next to; lamp; sofa"),
    ("the glass is full of milk", "glass, milk, full of; glass, full; glass; milk"),
    ("there are two kites in the sky", "kite, sky, in; kite, two; kite; sky"),
    # Adjectives, compounds, numbers.
    ("a small wooden table", "table, small; table, wooden; table"),
    ("a white striped cat", "cat, white; cat, striped; cat"),
    ("a beer bottle", "bottle, beer; bottle"),
    ("three apples", "apple, three; apple"),
    # Prepositions under nouns, of several words too.
    ("a shop with lamps and mirrors", "shop, lamp, with; shop, mirror, with; shop; lamp; mirror"),
    ("a chair in front of a window", "chair, window, in front of; chair; front; window"),
    ("a girl on top of a hill", "girl, hill, on top of; girl; top; hill"),
    # Owners, by name and by pronoun.
    ("the farmer 's hat", "farmer, hat, have; farmer; hat"),
    ("a farmer and his tractor", "farmer, tractor, have; farmer; tractor"),
    # Participles, relative clauses with the noun as subject and as object, infinitives.
    ("a goat tied to a fence", "goat, fence, tie to; goat; fence"),
    ("a dog that chases a squirrel", "dog, squirrel, chase; dog; squirrel"),
    ("a ball that a dog chases", "dog, ball, chase; ball; dog"),
    ("a boy wants to eat a cake", "boy, cake, eat; boy, want; boy; cake"),
    ("a boy helps a girl climb a tree", "girl, tree, climb; boy, help; boy; girl; tree"),
    # A quantity passes its role on, a group keeps it.
    ("a lot of pigeons eat bread", "pigeon, bread, eat; lot; pigeon; bread"),
    ("a pair of boots on a mat", "boot, mat, on; pair; boot; mat"),
    ("a group of students", "group, student, of; group; student"),
    # Verbs that the model takes for nouns, and lists without commas.
    ("a fox bites a hen", "fox, hen, bite; fox; hen"),
    ("a sailor with a beard jumps over a rope", "sailor, rope, jump over; sailor, beard, with; sailor; beard; rope"),
    ("one spoon one fork and one knife", "spoon; fork; knife"),
    # No thing, no tuple.
    ("he is here", ""),
    ("a", ""),
]  # fmt: skip


def write(sentence: str) -> str:
    (proposals,) = parse_captions([sentence.split()])
    return "; ".join(", ".join(proposal) for proposal in proposals)


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_rule(sentence: str, expected: str) -> None:
    assert write(sentence) == expected
