"""Tests of errors in COCO files, which name the record and the field."""

import json
from pathlib import Path
from typing import Any

import pytest

from metrics_plugins.readers.coco import read_coco
from metrics_plugins.readers.records import InputError

GOOD = {"image_id": 1, "caption": "a"}
NOT_AN_ID = "record 2: field 'image_id': must be a whole number or a text that is not empty, got "


def _read(tmp_path: Path, text: str) -> str:
    path = tmp_path / "captions.json"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_coco(path)
    file, _, message = str(raised.value).partition(": ")
    assert file == str(path)
    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"image_id": 1,\n "caption": "a"', "line 2, column 16: must be JSON, got: Expecting ',' delimiter"),
        ("[" * 100_000, "must be a list of captions, got lists that are nested too deeply"),
        ("[" + "1" * 5000 + "]", "must be JSON, got: Exceeds the limit (4300 digits)"),
        ("7", "must be a list of captions or an object with a list of 'annotations', got 7"),
        (
            '{"a": 1, "b": 2}',
            "must be a list of captions or an object with a list of 'annotations', got an object",
        ),
        ('{"annotations": {}}', "must be a list of captions or an object with a list of 'annotations', got an object"),
    ],
)
def test_file_without_captions_is_refused(text: str, message: str, tmp_path: Path) -> None:
    assert _read(tmp_path, text).startswith(message)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("a", "record 2: must be an object with the fields 'image_id' and 'caption', got 'a'"),
        ({"caption": "a"}, "record 2: field 'image_id' is missing (it has: caption)"),
        ({"image_id": 1, "id": 2}, "record 2: field 'caption' is missing (it has: image_id, id)"),
        ({}, "record 2: field 'image_id' is missing (it has: none)"),
        ({**GOOD, "caption": None}, "record 2: field 'caption': must be text, got null"),
        ({**GOOD, "caption": ["a"]}, "record 2: field 'caption': must be text, got ['a']"),
        (
            {**GOOD, "caption": "x\ud800"},
            "record 2: field 'caption': must be Unicode text, got half a surrogate",
        ),
        (
            {**GOOD, "image_id": None},
            "record 2: field 'image_id': must be a whole number or a text that is not empty, ",
        ),
        ({**GOOD, "image_id": 1.5}, f"{NOT_AN_ID}1.5"),
        (
            {**GOOD, "image_id": True},
            "record 2: field 'image_id': must be a whole number or a text that is not empty, ",
        ),
        ({**GOOD, "image_id": ""}, f"{NOT_AN_ID}''"),
        ({**GOOD, "caption": list(range(99))}, "record 2: field 'caption': must be text, got [0, 1, 2, 3, 4, 5"),
    ],
)
def test_record_and_field_are_named(record: Any, message: str, tmp_path: Path) -> None:
    came = _read(tmp_path, json.dumps([GOOD, record]))

    assert came.startswith(message)
    assert len(came) < 160


@pytest.mark.parametrize(
    ("images", "annotations", "message"),
    [
        ([1], [GOOD], "image 1: must be an object with the field 'id', got 1"),
        ([{"id": 1}, {}], [GOOD], "image 2: must be an object with the field 'id', got {}"),
        ([{"id": None}], [GOOD], "image 1: field 'id': must be a whole number or a text that is not empty, got null"),
        ([{"id": 1}, {"id": 1}], [GOOD], "image 2: field 'id': must be unique, got 1, which image 1 has"),
        ({}, [GOOD], "'images' must be a list, got {}"),
        (
            [{"id": 2}],
            [{**GOOD, "image_id": 2}, GOOD],
            "annotation 2: field 'image_id': must be the id of one of the 1 images, got 1",
        ),
        (
            [{"id": 1}],
            [{**GOOD, "id": 5}, {**GOOD, "id": 5}],
            "annotation 2: field 'id': must be unique, got 5, which annotation 1 has",
        ),
    ],
)
def test_images_and_annotations_must_fit(images: Any, annotations: list, message: str, tmp_path: Path) -> None:
    assert _read(tmp_path, json.dumps({"images": images, "annotations": annotations})) == message


def test_annotations_need_no_list_of_images(tmp_path: Path) -> None:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps({"annotations": [GOOD]}))

    assert read_coco(path).image_ids is None


def test_published_results_are_read_whole(data_folder: Path) -> None:
    # Counts from shared/data/coco/README.md.
    assert len(read_coco(data_folder / "coco/captions_val2014_fakecap_results.json").records) == 1_000
    assert len(read_coco(data_folder / "coco/captions_val2014_googlstm_results.json.gz").records) == 40_504


def test_golden_references_are_read_whole(golden_folder: Path) -> None:
    file = read_coco(golden_folder / "references.json")

    assert len(file.image_ids) == 12
    assert {record.image_id for record in file.records} == file.image_ids
