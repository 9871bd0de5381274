"""Small pictures of images: made when asked for, or, of large ones, when the image is taken in."""

from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from django.core.files.base import ContentFile

from studies.models import Image

WIDTH, HEIGHT = 320, 240
MOST_PIXELS: Final = 12_000_000
"""Of more than these a page makes none: 50 million take a second and 200 MB. A JPEG is read at a fraction."""
FOLDER: Final = "thumbnails/"


class NoThumbnail(Exception):
    """The image has no file, or one that cannot be read as a picture; the message says which."""


def make_thumbnail(image: Image) -> bytes:
    """Return a JPEG of at most 320 by 240 pixels, upright, its proportions kept; one that was kept, if there is one.

    Raises:
        NoThumbnail: There is no file, or it is not a picture, or too large to be unpacked while a page waits.
    """
    if image.file and image.file.storage.exists(name_thumbnail(image)):
        with image.file.storage.open(name_thumbnail(image)) as kept:
            content: bytes = kept.read()
            return content
    return _make(image, most=MOST_PIXELS)


def keep_thumbnail(image: Image) -> None:
    """Make and keep the thumbnail of an image that no page would make; call it from a job, or a command."""
    from PIL import Image as Picture

    # Whoever has a folder on the server may take in what is no picture: it has no thumbnail then.
    with suppress(NoThumbnail, OSError, ValueError, SyntaxError, Picture.DecompressionBombError):
        with image.file.open("rb") as file, Picture.open(file) as picture:
            if not _is_large(picture, most=MOST_PIXELS):
                return
        content = _make(image, most=None)
        image.file.storage.delete(name_thumbnail(image))
        image.file.storage.save(name_thumbnail(image), ContentFile(content))


def delete_files(image: Image) -> None:
    """Delete an image's file and its thumbnail, if it has any; the row stays as it is."""
    if image.file:
        image.file.storage.delete(name_thumbnail(image))
        image.file.delete(save=False)


def name_thumbnail(image: Image) -> str:
    """Return the name in the storage that the thumbnail of an image with a file has, if it is kept."""
    return f"{FOLDER}{image.file.name}.jpg"


def _is_large(picture: Any, *, most: int) -> bool:
    return picture.format != "JPEG" and picture.size[0] * picture.size[1] > most


def _make(image: Image, *, most: int | None) -> bytes:
    from PIL import Image as Picture
    from PIL import ImageOps

    if not image.file:
        raise NoThumbnail(f"image {image.key!r} has no file")
    try:
        with image.file.open("rb") as file, Picture.open(file) as picture:
            if most is not None and _is_large(picture, most=most):
                raise NoThumbnail(f"image {image.key!r} is too large for a small picture of it to be made here")
            # A JPEG can be decoded at a fraction of its size; other formats ignore this.
            picture.draft("RGB", (2 * WIDTH, 2 * HEIGHT))
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, ValueError, SyntaxError, Picture.DecompressionBombError) as error:
        raise NoThumbnail(f"image {image.key!r} cannot be read: {error}") from error
    upright.thumbnail((WIDTH, HEIGHT))
    # A comment would be written again.
    upright.info = {}
    buffer = BytesIO()
    upright.save(buffer, "JPEG", quality=82, optimize=True)
    return buffer.getvalue()
