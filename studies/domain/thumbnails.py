"""Small pictures of images, made when asked for."""

from io import BytesIO

from studies.models import Image

WIDTH, HEIGHT = 320, 240


class NoThumbnail(Exception):
    """The image has no file, or one that cannot be read as a picture; the message says which."""


def make_thumbnail(image: Image) -> bytes:
    """Return a JPEG of at most 320 by 240 pixels, upright, its proportions kept.

    Raises:
        NoThumbnail: There is no file, or it is not a picture, or unreasonably large once unpacked.
    """
    from PIL import Image as Picture
    from PIL import ImageOps

    if not image.file:
        raise NoThumbnail(f"image {image.key!r} has no file")
    try:
        with image.file.open("rb") as file, Picture.open(file) as picture:
            # A JPEG can be decoded at a fraction of its size; other formats ignore this.
            picture.draft("RGB", (2 * WIDTH, 2 * HEIGHT))
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, ValueError, SyntaxError, Picture.DecompressionBombError) as error:
        raise NoThumbnail(f"image {image.key!r} cannot be read: {error}") from error
    upright.thumbnail((WIDTH, HEIGHT))
    buffer = BytesIO()
    upright.save(buffer, "JPEG", quality=82, optimize=True)
    return buffer.getvalue()
