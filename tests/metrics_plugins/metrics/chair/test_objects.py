"""Tests of files with the objects of each image."""

import gzip
import json
from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.chair.categories import CATEGORIES
from metrics_plugins.metrics.chair.objects import read_objects

INSTANCES = {
    "images": [{"id": 7}, {"id": 8}],
    "categories": [{"id": 1, "name": "person"}, {"id": 18, "name": "dog"}],
    "annotations": [{"image_id": 7, "category_id": 18}, {"image_id": 7, "category_id": 18}],
}


def write(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


def test_lists_by_image_and_cocos_instances_say_the_same(tmp_path: Path) -> None:
    dog = CATEGORIES.index("dog")
    lists = read_objects(write(tmp_path / "a.json", {"7": ["dog", "puppy"], "8": []}))
    instances = read_objects(write(tmp_path / "b.json", INSTANCES))

    assert lists.categories == instances.categories == {"7": {dog}, "8": frozenset()}
    assert lists.find("7") == {dog}
    assert lists.digest != instances.digest


def test_a_packed_file_has_the_digest_of_what_it_holds(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.json", {"7": ["dog"]})
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(Path(plain).read_bytes()))

    assert read_objects(plain + ".gz") == read_objects(plain)


def test_no_file_knows_of_no_image() -> None:
    assert read_objects("").find("7") is None


def test_an_image_that_the_file_does_not_list_is_an_error(tmp_path: Path) -> None:
    given = read_objects(write(tmp_path / "a.json", {"7": []}))

    with pytest.raises(MetricError, match=r"must list every image .* but image '9' is not among its 1"):
        given.find("9")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (["dog"], "must be an object with a list of objects by image, got list"),
        ({"7": "dog"}, "image '7': must have a list of objects, got str"),
        ({"7": ["dog", "moon"]}, "image '7': must name one of COCO's 80 categories, got 'moon'"),
        ({"7": [["dog"]]}, r"image '7': must name one of COCO's 80 categories, got \['dog'\]"),
        ({**INSTANCES, "annotations": [{"image_id": 9, "category_id": 18}]}, "annotations must have .* KeyError.9"),
        ({**INSTANCES, "annotations": [{"image_id": 7, "category_id": 2}]}, "annotations must have .* KeyError.2"),
        ({**INSTANCES, "images": [7]}, "annotations must have the `image_id`"),
    ],
)
def test_a_broken_rule_is_named(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(MetricError, match=message):
        read_objects(write(tmp_path / "a.json", content))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")

    with pytest.raises(MetricError, match=r"a\.json: must be JSON"):
        read_objects(str(tmp_path / "a.json"))
    with pytest.raises(MetricError, match=r"b\.json: cannot be read"):
        read_objects(str(tmp_path / "b.json"))
