"""Tests of pairs made of a table of systems."""

from itertools import combinations
from random import Random

from studies.datasets.drafts.pairs import count_pairs, lists_systems, pair_systems
from studies.datasets.importing.files.table_files import Record, Table
from studies.shared.errors import SourceLocation


def _table(rows):
    records = [
        Record(SourceLocation("t.csv", f"line {number}"), dict(zip(("image", "system", "candidate"), row, strict=True)))
        for number, row in enumerate(rows, start=2)
    ]
    return Table("t.csv", ("image", "system", "candidate"), records)


def _names(table):
    return [(each.values["image"], each.values["system"], each.values["other_system"]) for each in table.records]


ROWS = [(image, system, f"{system} of {image}") for image in "ab" for system in ("x", "y", "z")]


def test_all_pairs_of_an_image_are_made() -> None:
    pairs = pair_systems(_table(ROWS), per_image=0, rng=Random(0))

    assert _names(pairs) == [(image, *pair) for image in "ab" for pair in (("x", "y"), ("x", "z"), ("y", "z"))]
    assert pairs.records[0].values["other_candidate"] == "y of a"
    assert pairs.records[0].location.record == "line 2 and line 3"


def test_so_many_pairs_are_drawn_and_the_seed_decides() -> None:
    drawn = [_names(pair_systems(_table(ROWS), per_image=1, rng=Random(seed))) for seed in (1, 1, 2, 3, 4)]

    assert [len(each) for each in drawn] == [2] * 5
    assert drawn[0] == drawn[1]
    assert len({tuple(each) for each in drawn}) > 1


def test_two_captions_of_a_system_are_no_pair() -> None:
    rows = [("a", "x", "One."), ("a", "x", "Two."), ("a", "y", "Three."), ("b", "x", "Alone.")]

    assert _names(pair_systems(_table(rows), per_image=0, rng=Random(0))) == [("a", "x", "y"), ("a", "x", "y")]


def test_table_of_pairs_is_not_one_of_systems() -> None:
    assert lists_systems(_table(ROWS))
    assert not lists_systems(Table("t.csv", ("image", "system", "candidate", "other_candidate"), ()))
    assert not lists_systems(Table("t.csv", ("image", "candidate"), ()))


def test_drawn_pairs_are_those_at_the_drawn_places_among_all_pairs() -> None:
    rows = [("a", system, str(number)) for number, system in enumerate("xyxzyxzz")]
    pairs = [(one, other) for one, other in combinations(rows, 2) if one[1] != other[1]]
    places = sorted(Random(5).sample(range(len(pairs)), 7))

    made = pair_systems(_table(rows), per_image=7, rng=Random(5))

    found = [(each.values["candidate"], each.values["other_candidate"]) for each in made.records]
    assert found == [(pairs[place][0][2], pairs[place][1][2]) for place in places]


def test_pairs_are_counted_without_being_made() -> None:
    rows = [*ROWS, ("b", "x", "Again."), ("c", "x", "Alone.")]

    for per_image in (0, 1, 4, 5, 100):
        made = pair_systems(_table(rows), per_image=per_image, rng=Random(0))
        assert count_pairs(_table(rows), per_image=per_image) == len(made.records)
    large = _table([("a", f"system {number}", "A caption.") for number in range(20_000)])
    assert count_pairs(large, per_image=0) == 199_990_000
    assert len(pair_systems(large, per_image=3, rng=Random(0)).records) == 3
