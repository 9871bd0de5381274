"""Tests of images as columns, and of captioned images."""

from pathlib import Path

import numpy as np
import pytest

from captioning.api import CaptionedImages, ImageInput, Images, MissingInput, Regions

PIXELS = np.arange(2 * 4 * 4 * 3, dtype=np.uint8).reshape(2, 4, 4, 3)


def make_images() -> Images:
    values = np.arange(2 * 3 * 2, dtype=np.float32).reshape(2, 3, 2)
    return Images(
        keys=("sea", "dog"),
        files=(Path("sea.png"), Path("dog.png")),
        pixels=PIXELS,
        features=Regions(values, np.array([3, 1])),
        objects=(("boat",), ("dog", "ball")),
    )


def test_selected_images_have_all_columns_in_the_given_order():
    chosen = make_images().select([1, 0, 1])

    assert chosen.keys == ("dog", "sea", "dog")
    assert chosen.files == (Path("dog.png"), Path("sea.png"), Path("dog.png"))
    assert chosen.objects == (("dog", "ball"), ("boat",), ("dog", "ball"))
    np.testing.assert_array_equal(chosen.pixels, PIXELS[[1, 0, 1]])
    np.testing.assert_array_equal(chosen.features.counts, [1, 3, 1])
    np.testing.assert_array_equal(chosen.features.values[1], make_images().features.values[0])


def test_absent_columns_stay_absent():
    images = Images(keys=("sea",))

    assert images.select([0]).available_inputs == frozenset()
    with pytest.raises(MissingInput, match="captioner 'fc' needs features, but these 1 images have only keys"):
        images.require(frozenset({ImageInput.FEATURES}), reader="captioner 'fc'")


def test_a_column_of_another_length_is_refused():
    with pytest.raises(ValueError, match="column pixels has 2 rows, but there are 1 keys"):
        Images(keys=("sea",), pixels=PIXELS)


def test_a_vector_is_one_region():
    regions = Regions.of_vectors(np.ones((2, 5), dtype=np.float64))

    assert regions.values.shape == (2, 1, 5)
    assert regions.values.dtype == np.float32
    assert regions.dimension == 5
    np.testing.assert_array_equal(regions.counts, [1, 1])


def test_captions_must_fit_the_images():
    with pytest.raises(ValueError, match="captions have 1 rows, but there are 2 images"):
        CaptionedImages(images=make_images(), captions=(("a boat",),))
    with pytest.raises(ValueError, match="image 'dog' has no caption"):
        CaptionedImages(images=make_images(), captions=(("a boat",), ()))
    with pytest.raises(ValueError, match="worlds have 1 rows"):
        CaptionedImages(images=make_images(), captions=(("a boat",), ("a dog",)), worlds=(object(),))


def test_the_digest_depends_on_captions_keys_and_image_columns():
    def digest(**changes: object) -> str:
        columns = {name: getattr(make_images(), name) for name in ("keys", *ImageInput)} | changes
        captions = columns.pop("captions", (("a boat",), ("a dog",)))
        return CaptionedImages(images=Images(**columns), captions=captions).digest

    changed = [
        digest(keys=("sea", "cat")),
        digest(pixels=PIXELS[::-1]),
        digest(objects=(("boat",), ("dog",))),
        digest(pixels=PIXELS.reshape(2, 2, 8, 3)),
        digest(features=Regions(np.zeros((2, 3, 2), dtype=np.float32), np.array([3, 1]))),
        digest(features=Regions(make_images().features.values, np.array([3, 2]))),
        digest(captions=(("a boat",), ("a cat",))),
    ]

    assert digest() == digest()
    assert len({digest(), *changed}) == 8


def test_selected_captions_stay_with_their_images():
    data = CaptionedImages(
        images=make_images(), captions=(("a boat",), ("a dog", "a ball")), worlds=("w1", "w2"), note="text-conditioned"
    )

    chosen = data.select(np.array([1]))

    assert (chosen.images.keys, chosen.captions, chosen.worlds) == (("dog",), (("a dog", "a ball"),), ("w2",))
    assert chosen.note == "text-conditioned"
