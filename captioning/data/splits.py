"""The three parts of a data set on which captioners are trained, validated and tested."""

from dataclasses import dataclass

from captioning.api import CaptionedImages


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """Captioned images for training, validation and test; no image is in two parts."""

    train: CaptionedImages
    validation: CaptionedImages
    test: CaptionedImages
