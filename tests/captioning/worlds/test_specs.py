"""Tests that the named sets have the distributions of the published samples."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from captioning.worlds.captions.edits import count_quantifiers, ratio_quantifiers
from captioning.worlds.errors import UnknownSpec
from captioning.worlds.geometry import compute_area
from captioning.worlds.instances import Instance, make_instance
from captioning.worlds.specs import ICE_SPECS, SPECS, WITHHELD, Spec, find_spec
from tests.captioning.worlds.distributions import (
    compare_categories,
    compare_numbers,
    list_choices,
    list_forms,
    measure_repetition,
)
from tests.captioning.worlds.samples import SETS, Sample, read_sample

# A check of equal distributions fails once in a thousand times; the instances are fixed, so that none fails by chance.
ALPHA = 0.001

# The state of the samples has other numbers of entities in two sets.
OURS: dict[str, Spec] = {
    "existential-oneshape": SPECS["existential-oneshape"],
    "existential-full": replace(
        SPECS["existential-multishapes"], world=replace(SPECS["existential-multishapes"].world, most=8)
    ),
    "relational-comparative": SPECS["relational-comparative"],
    "relational-spatial": SPECS["relational-spatial"],
    "quantification-count": SPECS["quant-count"],
    "logical-full": replace(SPECS["logical-full"], world=replace(SPECS["logical-full"].world, fewest=2)),
}


@cache
def _make_ours(name: str) -> tuple[Instance, ...]:
    spec = replace(OURS[name], correct_ratio=0.5)
    return tuple(make_instance(spec, split="validation", index=index) for index in range(250))


def _compare(sample: Sample, ours: tuple[Instance, ...]) -> dict[str, float]:
    """Return p-values by feature; of the entities of a reinforced world only what is drawn for each by itself."""
    worlds = [instance.world for instance in ours]
    captions = [instance.captions[0].text for instance in ours]
    values = {
        "entities": lambda world: [len(world.entities)],
        "repetition": lambda world: [measure_repetition(world)],
        "shade": lambda world: [entity.shade for entity in world.entities],
        "x": lambda world: [entity.x for entity in world.entities],
        "y": lambda world: [entity.y for entity in world.entities],
        "area": lambda world: [compute_area(entity) for entity in world.entities],
        "rotation": lambda world: [entity.rotation for entity in world.entities],
    }
    found = {
        feature: compare_numbers(
            [value for world in sample.worlds for value in read(world)], [v for world in worlds for v in read(world)]
        )
        for feature, read in values.items()
    }
    texts = [text for group in sample.captions for text in group]
    found["form"] = compare_categories(list_forms(texts), list_forms(captions))
    found["choice"] = compare_categories(list_choices(texts), list_choices(captions))
    return found


@pytest.mark.parametrize("name", SETS)
def test_worlds_and_captions_are_distributed_as_in_the_samples(name: str, data_folder: Path) -> None:
    found = _compare(read_sample(data_folder, name), _make_ours(name))

    assert {feature: p for feature, p in found.items() if p < ALPHA} == {}


@pytest.mark.parametrize(
    ("sample", "ours", "features"),
    [
        ("existential-oneshape", "quantification-count", {"form", "entities", "repetition"}),
        ("relational-comparative", "relational-spatial", {"form"}),
        ("quantification-count", "existential-full", {"form", "entities"}),
    ],
)
def test_checks_of_distribution_can_fail(sample: str, ours: str, features: set[str], data_folder: Path) -> None:
    found = _compare(read_sample(data_folder, sample), _make_ours(ours))

    assert features <= {feature for feature, p in found.items() if p < ALPHA}


def test_relations_that_follow_the_world_would_be_seen(data_folder: Path) -> None:
    """If a relation is not planned before the world, those that rarely hold become rare: a mistake that was made."""
    texts = [text for group in read_sample(data_folder, "relational-spatial").captions for text in group]
    ours = [caption.text for each in _make_ours("relational-spatial") for caption in each.captions]
    rare = [text for text in ours if "than the" in text or "behind" in text or "front" in text]
    unplanned = [text for text in ours if text not in rare] + rare[::4]

    assert compare_categories(list_choices(texts), list_choices(unplanned)) < ALPHA


@pytest.mark.parametrize("spec", ICE_SPECS, ids=lambda spec: spec.name)
def test_ice_worlds_keep_to_their_numbers(spec: Spec) -> None:
    counts = {len(make_instance(spec, split="train", index=index).world.entities) for index in range(60)}

    assert min(counts) >= spec.world.fewest
    assert max(counts) <= spec.world.most


def test_quantifiers_are_as_many_as_the_original_has() -> None:
    assert (len(count_quantifiers()), len(ratio_quantifiers())) == (34, 38)


@pytest.mark.parametrize("name", ["existential-oneshape-withheld", "quant-count-withheld"])
def test_withheld_pairs_and_counts_are_only_in_the_test_split(name: str) -> None:
    def collect(split: str) -> tuple[set[tuple[str, str]], set[int]]:
        worlds = [make_instance(find_spec(name), split=split, index=index).world for index in range(80)]
        pairs = {(entity.color, entity.shape) for world in worlds for entity in world.entities}
        return pairs, {len(world.entities) for world in worlds}

    train_pairs, train_counts = collect("train")
    test_pairs, test_counts = collect("test")

    assert not train_pairs & WITHHELD.pairs
    assert not train_counts & WITHHELD.counts
    assert len(test_pairs & WITHHELD.pairs) > 6
    assert name.startswith("existential") or test_counts >= WITHHELD.counts


def test_unknown_set_is_refused_with_the_names() -> None:
    with pytest.raises(UnknownSpec, match="no set is called 'blobs'; there are existential-oneshape, "):
        find_spec("blobs")
