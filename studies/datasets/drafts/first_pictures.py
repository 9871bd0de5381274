"""Small pictures of the first rows of an upload, which are stored with its findings and shown on its page."""

import base64
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from typing import Final

from studies.datasets.drafts.images import ImageSource
from studies.datasets.thumbnails import NoThumbnail, shrink_picture
from studies.shared.errors import ImportFailed

SIZE: Final = (160, 120)
"""The largest width and height in pixels: such a picture has a few kilobytes."""


def draw_first_pictures(keys: Iterable[str], source: ImageSource | None) -> list[str]:
    """Return a `data:` address of a JPEG for each row.

    It is empty for a picture that an earlier row has, that is missing, or that cannot be read.

    Args:
        keys: The key of the image of each row.
        source: The pictures; None without any.
    """
    drawn: set[str] = set()
    addresses = []
    for key in keys:
        addresses.append(_draw(key, source) if source and key not in drawn else "")
        drawn.add(key)
    return addresses


def _draw(key: str, source: ImageSource) -> str:
    from PIL import Image as Picture

    # Whatever is wrong with a picture is among the errors of the upload.
    with suppress(ImportFailed, NoThumbnail, OSError, ValueError, SyntaxError, Picture.DecompressionBombError):
        jpeg = shrink_picture(BytesIO(source.read(key).content), key=key, size=SIZE)
        return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
    return ""
