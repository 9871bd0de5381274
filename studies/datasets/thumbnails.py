"""Thumbnails of images, created on request or, for large images, when the image is stored."""

from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from django.core.files.base import ContentFile

from studies.models import Image
from studies.shared.errors import Refusal

WIDTH, HEIGHT = 320, 240
MOST_PIXELS: Final = 12_000_000
"""The limit for thumbnails created by a page: 50 million pixels take a second and 200 MB. JPEGs are read scaled."""
FOLDER: Final = "thumbnails/"


class NoThumbnail(Refusal):
    """The image has no file, or the file is not a readable picture; the message says which."""


def make_thumbnail(image: Image) -> bytes:
    """Return a JPEG of at most 320 by 240 pixels, upright, with its proportions; a stored one if there is one.

    Raises:
        NoThumbnail: There is no file, or it is not a picture, or too large to decode during a request.
    """
    if image.file and image.file.storage.exists(name_thumbnail(image)):
        with image.file.storage.open(name_thumbnail(image)) as kept:
            content: bytes = kept.read()
            return content
    return _make(image, most=MOST_PIXELS)


def keep_thumbnail(image: Image) -> None:
    """Create and store the thumbnail of an image too large for `make_thumbnail`; call it from a job or a command."""
    from PIL import Image as Picture

    # Images from a folder on the server may be invalid pictures, which get no thumbnail.
    with suppress(NoThumbnail, OSError, ValueError, SyntaxError, Picture.DecompressionBombError):
        with image.file.open("rb") as file, Picture.open(file) as picture:
            if not _is_large(picture, most=MOST_PIXELS):
                return
        content = _make(image, most=None)
        image.file.storage.delete(name_thumbnail(image))
        image.file.storage.save(name_thumbnail(image), ContentFile(content))


def delete_files(image: Image) -> None:
    """Delete an image's file and its thumbnail, if any; the row is unchanged."""
    if image.file:
        image.file.storage.delete(name_thumbnail(image))
        image.file.delete(save=False)


def name_thumbnail(image: Image) -> str:
    """Return the storage name of the thumbnail of an image with a file."""
    return f"{FOLDER}{image.file.name}.jpg"


def _is_large(picture: Any, *, most: int) -> bool:
    return picture.format != "JPEG" and picture.size[0] * picture.size[1] > most


def _make(image: Image, *, most: int | None) -> bytes:
    from PIL import Image as Picture

    if not image.file:
        raise NoThumbnail(f"image {image.key!r} has no file")
    try:
        with image.file.open("rb") as file:
            return shrink_picture(file, key=image.key, size=(WIDTH, HEIGHT), most=most)
    except (OSError, ValueError, SyntaxError, Picture.DecompressionBombError) as error:
        raise NoThumbnail(f"image {image.key!r} cannot be read: {error}") from error


def shrink_picture(file: Any, *, key: str, size: tuple[int, int], most: int | None = MOST_PIXELS) -> bytes:
    """Return a JPEG of at most this width and height, upright, with its proportions.

    Args:
        file: A readable binary file, or a path.
        key: The key of the image, for the message.
        size: The width and the height, in pixels.
        most: The limit of pixels of other formats than JPEG; None for no limit.

    Raises:
        NoThumbnail: The picture is too large.
        OSError, ValueError, SyntaxError, DecompressionBombError: As raised by Pillow for what is not a picture.
    """
    from PIL import Image as Picture
    from PIL import ImageOps

    with Picture.open(file) as picture:
        if most is not None and _is_large(picture, most=most):
            raise NoThumbnail(f"image {key!r} is too large to create a thumbnail")
        # A JPEG can be decoded at a fraction of its size; other formats ignore this.
        picture.draft("RGB", (2 * size[0], 2 * size[1]))
        upright = ImageOps.exif_transpose(picture).convert("RGB")
    upright.thumbnail(size)
    # Otherwise Pillow would write comments into the thumbnail.
    upright.info = {}
    buffer = BytesIO()
    upright.save(buffer, "JPEG", quality=82, optimize=True)
    return buffer.getvalue()
