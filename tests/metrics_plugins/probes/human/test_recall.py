from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.human.recall import measure_human_recall
from metrics_plugins.probes.words import count_words

PEOPLE = {
    "a": ("dog", "dog", "cat"),
    "b": ("dog", "sun", "sun"),
    "c": ("sun", "sun", "sun"),
    "d": ("dog", "dog", "dog"),
}
COUNTS = count_words(PEOPLE, n_references=2)


def measure(captions, word="dog"):
    (found,) = measure_human_recall(COUNTS, captions, words=[word])
    return found


def test_one_caption_an_image_by_hand():
    # Human recall of dog: (2 + 0 + 6) of (4 + 2 + 6) = 2/3.
    found = measure({"a": ["a dog"], "b": ["a dog"], "c": ["a dog"], "d": ["nothing"]})

    # In thirds of an image: right 4 + 2, wrong 1 for b (one human caption in three has no companion) and 3 for c.
    assert found.human.recall == pytest.approx(2 / 3)
    assert (found.n_images, found.precision, found.recall) == (3, 6 / 10, 6 / 12)
    assert isnan(found.precision_at_human_recall)


def test_images_are_added_by_confidence_until_human_recall():
    captions = {
        "a": ["dog", "dog", "dog", "cat"],
        "b": ["sun", "sun", "sun", "dog"],
        "c": ["dog", "sun", "sun", "sun"],
        "d": ["dog", "dog", "dog", "dog"],
    }

    found = measure(captions)

    # d: 6 of 12, below 2/3; with a: 10 of 12, nothing wrong. b and c come after.
    assert found.precision_at_human_recall == 1.0
    assert (found.precision, found.recall) == (12 / 16, 1.0)


def test_images_of_equal_confidence_are_added_together():
    found = measure({"a": ["dog"], "b": ["sun"], "c": ["dog"], "d": ["dog"]})

    assert found.precision_at_human_recall == found.precision == 10 / 13


def test_a_word_that_the_system_never_says():
    found = measure({image: ["nothing"] for image in PEOPLE})

    assert (found.n_images, found.recall) == (0, 0.0)
    assert isnan(found.precision)
    assert isnan(found.precision_at_human_recall)


def test_no_human_recall_no_precision_at_it():
    # cat stands in one human caption only: people never confirm each other.
    assert isnan(measure({image: ["cat"] for image in PEOPLE}, word="cat").precision_at_human_recall)


@given(st.permutations(["a", "b", "c", "d"]), st.integers(1, 5))
def test_recall_does_not_depend_on_order_or_repetition_of_captions(order, n):
    captions = {"a": ["dog", "cat"], "b": ["sun", "dog"], "c": ["sun", "sun"], "d": ["dog", "dog"]}

    assert measure({image: captions[image] * n for image in order}) == measure(captions)


def test_an_image_without_a_caption_is_said():
    with pytest.raises(ProbeError, match="image d has references, but the system has no caption of it"):
        measure({"a": ["dog"], "b": ["dog"], "c": ["dog"]})
