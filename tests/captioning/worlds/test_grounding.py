"""Worlds as metrics read them: constructions, and files of worlds by image."""

import json
import pickle
from pathlib import Path

import pytest

from captioning.worlds.grounding import GroundedWorld, find_construction
from captioning.worlds.instances import make_instance
from captioning.worlds.specs import find_spec
from captioning.worlds.truth.profiles import HEAD
from metrics_plugins.api import MetricError
from metrics_plugins.runtime import load_registry


@pytest.mark.parametrize(
    ("caption", "construction"),
    [
        ("a square is red .", "a <shape> is <color> ."),
        ("An ellipse is a blue shape.", "a <shape> is <color> ."),
        ("a shape is red .", "a shape is <color> ."),
        ("two red shapes are crosses .", None),
        ("exactly two red shapes are crosses .", "exactly two <color> shapes are <shapes> ."),
        ("a square is the same color as a circle .", "a <shape> is the same color as a <shape> ."),
        ("square red a .", None),
    ],
)
def test_objects_are_reduced_to_what_describes_them(caption: str, construction: str | None) -> None:
    assert find_construction(caption) == construction


@pytest.mark.parametrize(
    ("name", "possible"),
    [("existential-oneshape", 8), ("spatial-twoshapes", 36), ("quant-count", 170), ("quant-ratio", 190)],
)
def test_sets_have_no_more_constructions_than_the_paper_counts(name: str, possible: int) -> None:
    instances = [make_instance(find_spec(name), split="test", index=index, n_captions=2) for index in range(300)]
    found = {find_construction(caption.text) for instance in instances for caption in instance.captions}

    assert None not in found
    assert possible * 0.6 < len(found) <= possible


def test_worlds_are_values_that_travel_between_processes() -> None:
    instance = make_instance(find_spec("spatial-twoshapes"), split="test", index=0, n_captions=1)
    grounded = GroundedWorld(instance.world, HEAD)

    assert pickle.loads(pickle.dumps(grounded)) == grounded  # noqa: S301 - made one line above
    assert hash(grounded) == hash(GroundedWorld(instance.world, HEAD))


def test_worlds_of_a_file_are_numbered_and_evaluated_under_the_profile_that_is_named(data_folder: Path) -> None:
    path = data_folder / "shapeworld" / "relational-spatial" / "world_model.json"
    registry = load_registry()

    by_samples, by_head = registry.read_worlds(path), registry.read_worlds(Path(f"{path}@H"))

    assert list(by_samples) == [str(number) for number in range(20)]
    assert {by_samples["0"].profile.name, by_head["0"].profile.name} == {"S", "H"}


def test_file_that_breaks_a_rule_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "world_model.json"
    path.write_text(json.dumps([{"color": {"name": "pink"}, "size": 64, "entities": []}]), encoding="utf-8")

    with pytest.raises(MetricError, match=r"world_model\.json: world 0: color\.name must be one of .*, got 'pink'"):
        load_registry().read_worlds(path)


def test_file_of_another_kind_is_read_by_nobody(tmp_path: Path) -> None:
    with pytest.raises(MetricError, match="no installed plugin reads worlds from such a file"):
        load_registry().read_worlds(tmp_path / "worlds.yaml")
