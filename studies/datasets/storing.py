"""The one road on which the file of an image comes into the media folder."""

from django.core.files.base import ContentFile

from studies.datasets.drafting.picture_metadata import strip_metadata
from studies.datasets.thumbnails import keep_thumbnail
from studies.models import Image
from studies.shared.errors import Place


def store_picture(image: Image, *, name: str, content: bytes, place: Place) -> int:
    """Store the file of an image, upright and without metadata, and its thumbnail if it is large; return its bytes.

    The image itself is not saved.

    Raises:
        ImportFailed: It is damaged, or has metadata that cannot be taken out.
    """
    stripped = strip_metadata(content, place)
    image.file.save(name, ContentFile(stripped), save=False)
    keep_thumbnail(image)
    return len(stripped)
