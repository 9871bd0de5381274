"""Pairs of the truth probe: what is true is true, and the other caption is false by one edit or no sentence."""

from collections import Counter

import pytest

from captioning.probes.minimal_pairs import OTHER_IMAGE, PAIR_KINDS, UNGRAMMATICAL, make_pairs
from captioning.worlds.captions.edits import list_edits
from captioning.worlds.language import parse_caption, realise_caption
from captioning.worlds.specs import find_spec


@pytest.mark.parametrize("name", ["existential-multishapes", "spatial-multishapes", "quant-count", "logical-full"])
def test_worse_captions_are_false_by_one_edit_or_not_grammatical(name: str) -> None:
    pairs = list(make_pairs(find_spec(name), n_worlds=30, n_references=4))

    for pair in pairs:
        value = pair.world.evaluate_caption(pair.worse)
        assert pair.world.evaluate_caption(pair.true) == 1
        assert value is None if pair.kind == UNGRAMMATICAL else value == -1
        assert pair.true not in pair.references
        assert all(pair.world.evaluate_caption(text) == 1 for text in pair.references)
        if pair.kind not in (UNGRAMMATICAL, OTHER_IMAGE):
            edits = {(kind, realise_caption(edited)) for kind, edited in list_edits(parse_caption(pair.true))}
            assert (pair.kind, pair.worse) in edits
    assert len(pairs) > 60


def test_every_kind_occurs_and_at_most_once_for_a_world() -> None:
    names = ("spatial-twoshapes", "quant-ratio", "logical-full")
    pairs = [pair for name in names for pair in make_pairs(find_spec(name), n_worlds=40, n_references=3)]

    assert {pair.kind for pair in pairs} == set(PAIR_KINDS)
    assert set(Counter((pair.set_name, pair.index, pair.kind) for pair in pairs).values()) == {1}


def test_same_arguments_give_the_same_pairs() -> None:
    spec = find_spec("spatial-twoshapes")

    assert list(make_pairs(spec, n_worlds=5)) == list(make_pairs(spec, n_worlds=5))


def test_more_worlds_keep_the_pairs_of_the_first_ones() -> None:
    spec = find_spec("spatial-twoshapes")
    few = [pair for pair in make_pairs(spec, n_worlds=5) if pair.kind != UNGRAMMATICAL]

    assert [pair for pair in make_pairs(spec, n_worlds=9) if pair.index < 5 and pair.kind != UNGRAMMATICAL] == few
