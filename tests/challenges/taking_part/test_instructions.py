"""Tests of what a team is told to upload."""

import json
import re

import pytest

from challenges.taking_part.instructions import describe_results, list_image_ids
from metrics_plugins.readers.results import read_results
from studies.models import Image
from tests.challenges.challenges import make_challenge, make_phase

pytestmark = pytest.mark.django_db


def test_the_example_is_the_beginning_of_a_valid_file(tmp_path):
    phase = make_phase(make_challenge(), split="val2014")

    told = describe_results(phase)

    assert told.file_name == "captions_val2014_<algorithm>_results.json"
    assert (told.n_images, told.captions_per_image, told.n_entries) == (4, 1, 4)
    entries = json.loads(re.sub(r",\n \.\.\.", "", told.example))
    (tmp_path / "x.json").write_text(json.dumps(entries))
    results = read_results(tmp_path / "x.json", image_ids=[each["image_id"] for each in entries])
    assert list(results.captions) == ["10", "11"]


def test_captions_sets_have_several_entries_of_an_image():
    told = describe_results(make_phase(make_challenge(), captions_per_image=5))

    assert (told.file_name, told.n_entries) == ("captions_test_<algorithm>_results.json", 20)
    assert told.example.count('"image_id": 10') == 2


def test_ids_are_numbers_only_where_they_are_spelled_the_same():
    challenge = make_challenge()
    for key in ("007", "COCO_val.jpg", "٣"):
        Image.objects.create(dataset=challenge.dataset, key=key)

    assert list_image_ids(make_phase(challenge)) == [10, 11, 12, 13, "007", "COCO_val.jpg", "٣"]


def test_a_phase_of_one_image_has_a_whole_example():
    challenge = make_challenge()
    phase = make_phase(challenge)
    phase.images.set(challenge.dataset.images.filter(key="10"))

    assert len(json.loads(describe_results(phase).example)) == 1
