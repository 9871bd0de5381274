import json

import pytest

from metrics_plugins.probes.templated.objects import find_in_references, read_objects
from metrics_plugins.readers import InputError


@pytest.mark.parametrize(
    "content",
    [
        {"42": ["dog", "tennis ball"], "x": []},
        [{"image_id": 42, "objects": ["dog", "tennis ball"]}, {"image_id": "x", "objects": []}],
    ],
)
def test_objects_by_image(content, tmp_path):
    path = tmp_path / "objects.json"
    path.write_text(json.dumps(content))

    assert read_objects(path) == {"42": ("dog", "tennis ball"), "x": ()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "must be JSON"),
        ("3", "must be an object or a list of objects, got 3"),
        ('{"42": "dog"}', "image '42': must be a list of texts, got 'dog'"),
        ('{"42": [1]}', "image '42': must be a list of texts"),
        ('{"": ["dog"]}', "must be a whole number or a text that is not empty"),
        ('{"42": ["dog"], "42": []}', "'42' must occur once, got it 2 times"),
        ('[{"image_id": 1}]', "record 1: must have the fields 'image_id' and 'objects'"),
        ('[{"image_id": 1, "objects": "dog"}]', "record 1: field 'objects': must be a list of texts"),
        ('[{"image_id": 1, "objects": []}, {"image_id": "1", "objects": []}]', "record 2: .*must be unique, got 1"),
    ],
)
def test_wrong_files_are_said(text, message, tmp_path):
    path = tmp_path / "objects.json"
    path.write_text(text)

    with pytest.raises(InputError, match=message):
        read_objects(path)


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_objects(tmp_path / "none.json")


def test_objects_of_references_are_ranked_by_the_references_that_mention_them():
    references = {"1": ("dog dog cat", "a cat", "sun cat dog"), "2": ("nothing",)}
    known = {"dog", "cat", "sun"}

    def find(captions):
        return [[word for word in text.split() if word in known] for text in captions]

    found = find_in_references(references, find_objects=find)

    assert found == {"1": ("cat", "dog", "sun"), "2": ()}
