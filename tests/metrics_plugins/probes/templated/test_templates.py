import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.probes.templated.templates import caption_images, caption_objects


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        # The example of Wang et al. (2020), section 3.
        (["tennis ball", "court", "person"], "There is a tennis ball, court and person"),
        (["dog"], "There is a dog"),
        (["umbrella", "dog"], "There is an umbrella and dog"),
        (["scissors", "cup"], "There are scissors and cup"),
        (["dog", "Dog", " dog "], "There is a dog"),
        (["teddy   bear"], "There is a teddy bear"),
        ([], ""),
        (["", " "], ""),
    ],
)
def test_template(objects, expected):
    assert caption_objects(objects) == expected


def test_articles_and_counted_duplicates():
    objects = ["person", "dog", "person", "apple", "person"]

    assert caption_objects(objects, articles="each") == "There is a person, a dog and an apple"
    assert caption_objects(objects, duplicates="count") == "There are three people, dog and apple"
    assert (
        caption_objects(objects[1:], articles="each", duplicates="count") == "There is a dog, two people and an apple"
    )


def test_images():
    objects = {"1": ["dog", "dog"], "2": []}

    assert caption_images(objects) == {"1": "There is a dog", "2": ""}
    assert caption_images(objects, articles="each", duplicates="count")["1"] == "There are two dogs"


@given(st.lists(st.sampled_from(["dog", "cat", "wine glass", "orange", "skis"]), min_size=1))
def test_every_object_is_mentioned_once(objects):
    caption = caption_objects(objects)

    assert [caption.count(name) for name in set(objects)] == [1] * len(set(objects))
    assert caption.count(" and ") == (len(set(objects)) > 1)
    assert caption.count(", ") == max(len(set(objects)) - 2, 0)
