"""What the data of a training determine about a captioner: its input, the sizes of its images, and its vocabulary."""

import numpy as np

from captioning.api import CaptionedImages, CaptionerError, ImageInput, Images, MissingInput
from metrics_plugins.text.vocabulary import Vocabulary


def choose_inputs(images: Images, *, reader: str) -> ImageInput:
    """Return features if there are any, else pixels.

    Raises:
        MissingInput: There are neither.
    """
    for inputs in (ImageInput.FEATURES, ImageInput.PIXELS):
        if inputs in images.available_inputs:
            return inputs
    raise MissingInput(
        f"{reader} needs features or pixels, but these {len(images)} images have only "
        f"{', '.join(sorted(images.available_inputs)) or 'keys'}"
    )


def count_vocabulary(data: CaptionedImages, *, min_count: int) -> Vocabulary:
    """Return the words that occur at least `min_count` times in the captions.

    Raises:
        CaptionerError: There are none.
    """
    lines = [line for lines in data.captions for line in lines]
    vocabulary = Vocabulary.count(lines, min_count=min_count)
    if not vocabulary.words:
        raise CaptionerError(f"no word occurs {min_count} times in the {len(lines)} training captions (`min_count`)")
    return vocabulary


def measure_images(images: Images, inputs: ImageInput) -> tuple[tuple[int, int] | None, int | None]:
    """Return height and width of pixels, or the length of feature vectors; the other is None."""
    if inputs == ImageInput.FEATURES and images.features is not None:
        return None, images.features.dimension
    if images.pixels is not None:
        return (images.pixels.shape[1], images.pixels.shape[2]), None
    return None, None


def describe_sizes(shape: tuple[int, int] | None, dimension: int | None) -> str:
    """Return the sizes that `measure_images` returns, for a message."""
    if shape is not None:
        return f"pixels of {shape[0]}x{shape[1]}"
    return f"features of length {dimension}"


def measure_training(
    data: CaptionedImages, validation: CaptionedImages, inputs: ImageInput
) -> tuple[tuple[int, int] | None, int | None]:
    """Return the sizes of the images as `measure_images`, after checking that a network can be trained on them.

    Raises:
        CaptionerError: There are no images, they differ in size, or their features are not finite.
    """
    if not len(data) or not len(validation):
        raise CaptionerError(f"training needs images, got {len(data)} for training and {len(validation)} to validate")
    sizes = measure_images(data.images, inputs)
    if measure_images(validation.images, inputs) != sizes:
        raise CaptionerError("the validation images have other sizes or features than the training images")
    for part in (data, validation):
        _require_finite(part.images)
    return sizes


def _require_finite(images: Images) -> None:
    if images.features is None:
        return
    wrong = np.flatnonzero(~np.isfinite(images.features.values).all(axis=(1, 2)))
    if len(wrong):
        raise CaptionerError(
            f"image {images.keys[wrong[0]]!r}: features must be finite ({len(wrong)} images have others)"
        )
