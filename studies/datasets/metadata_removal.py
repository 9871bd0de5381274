"""Removes metadata from images that entered the media folder without `store_picture`."""

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from studies.datasets.drafts.picture_metadata import strip_metadata
from studies.datasets.thumbnails import name_thumbnail
from studies.models import Dataset, Image
from studies.shared.errors import ImportFailed, SourceLocation
from studies.storage.kept_files import REPLACING

_DRAFT: Final = ".stripping-"


@dataclass(slots=True)
class Stripped:
    """The result of removing metadata.

    Attributes:
        n_images: The number of images with a file.
        n_stripped: The number of images with metadata in the file or its thumbnail.
        refused: Error messages for the files that were not changed.
    """

    n_images: int = 0
    n_stripped: int = 0
    refused: list[str] = field(default_factory=list)


def strip_pictures(*, changes: bool = True) -> Stripped:
    """Apply `strip_metadata` to every stored image and thumbnail; file names are unchanged.

    Each file is replaced atomically once its new content is on disk, so that the call can be interrupted and repeated.
    Files that cannot be stripped are reported by every call.

    Args:
        changes: False only reports.
    """
    found = Stripped()
    with_files = Image.objects.exclude(file="")
    if changes:
        _forget_drafts()
    for dataset in Dataset.objects.order_by("pk"):
        n_bytes = 0
        for image in with_files.filter(dataset=dataset).order_by("pk").iterator():
            found.n_images += 1
            n_bytes += _strip_image(image, dataset, found, changes=changes)
        # Count again instead of subtracting, so that it is right even after an interrupted call.
        if changes:
            Dataset.objects.filter(pk=dataset.pk, n_bytes__gt=0).exclude(n_bytes=n_bytes).update(n_bytes=n_bytes)
    return found


def _forget_drafts() -> None:
    """Delete temporary files of a call that was killed before renaming them."""
    with suppress(NotImplementedError):
        for path in Path(Image._meta.get_field("file").storage.path("")).rglob(f"{_DRAFT}*"):
            path.unlink(missing_ok=True)


def _strip_image(image: Image, dataset: Dataset, found: Stripped, *, changes: bool) -> int:
    """Strip an image and its thumbnail; return the current number of bytes of the image."""
    storage, location = image.file.storage, SourceLocation(f"dataset {dataset.name}", f"image {image.key}")
    try:
        n_bytes, was_clean = _strip_file(storage, image.file.name, location, changes=changes)
        thumbnail = name_thumbnail(image)
        if storage.exists(thumbnail):
            was_clean &= _strip_file(storage, thumbnail, location, changes=changes)[1]
    except (ImportFailed, OSError) as error:
        found.refused.append(
            str(error) if isinstance(error, ImportFailed) else f"{location}: {error.strerror or error}"
        )
        with suppress(OSError):
            return int(image.file.size)
        return 0
    found.n_stripped += not was_clean
    return n_bytes


def _strip_file(storage: Storage, name: str, location: SourceLocation, *, changes: bool) -> tuple[int, bool]:
    """Return the number of bytes of the file, and whether it had no metadata."""
    with storage.open(name) as file:
        content = file.read()
    left = strip_metadata(content, location)
    if left == content or not changes:
        return len(content), left == content
    try:
        path = Path(storage.path(name))
    except NotImplementedError:
        # An object is written completely or not at all.
        storages[REPLACING].save(name, ContentFile(left))
    else:
        _replace(path, left)
    return len(left), False


def _replace(path: Path, content: bytes) -> None:
    known = path.stat()
    draft, draft_name = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)
    try:
        with os.fdopen(draft, "wb") as file:
            file.write(content)
            # Keep permissions and, if run by root, the owner of the file.
            os.fchmod(file.fileno(), known.st_mode & 0o777)
            if os.geteuid() == 0:
                os.fchown(file.fileno(), known.st_uid, known.st_gid)
            file.flush()
            os.fsync(file.fileno())
        Path(draft_name).replace(path)
    except BaseException:
        Path(draft_name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
