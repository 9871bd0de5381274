"""Captions of images, in the formats that metrics read, as captioned images for training."""

from collections.abc import Mapping, Sequence

from captioning.api import CaptionedImages, Images
from captioning.readers.errors import BadImageFile
from captioning.readers.image_files import ImageSources, read_images
from metrics_plugins.readers import read_corpus
from metrics_plugins.text.ptb.tokenizer import tokenize_captions


def read_captioned(names: str, sources: ImageSources, *, note: str = "") -> CaptionedImages:
    """Return the images that have captions in the given files, with these captions as lines of tokens.

    Captions are tokenized as in COCO's evaluation (Penn Treebank, lower case, without punctuation). Captions without a
    token are left out, as are images without a caption.

    Args:
        names: Files of captions, separated by commas, in any format of `metrics_plugins.readers.read_corpus`.
        sources: The images; each image with captions must be there.
        note: As in `CaptionedImages`.

    Raises:
        InputError: A file of captions is invalid.
        BadImageFile: A source is invalid or lacks an image, or no caption has a token.
    """
    lines = tokenize_rows(read_corpus(names).captions)
    if not lines:
        raise BadImageFile(f"{names}: must have captions with words, got none")
    # Some captioners learn from captions alone.
    keys = tuple(lines)
    images = Images(keys=keys) if sources == ImageSources() else read_images(sources, keys=keys)
    return CaptionedImages(images, tuple(lines.values()), note=note)


def tokenize_rows(captions: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the captions of each image as lines of tokens, without empty ones and images that have no other."""
    flat = [(key, caption) for key, row in captions.items() for caption in row]
    tokenized: dict[str, list[str]] = {}
    for (key, _), line in zip(flat, tokenize_captions([caption for _, caption in flat]), strict=True):
        if line:
            tokenized.setdefault(key, []).append(line)
    return {key: tuple(row) for key, row in tokenized.items()}
