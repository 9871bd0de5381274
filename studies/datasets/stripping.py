"""Takes metadata out of images that came into the media folder in another way than by `store_picture`."""

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from django.core.files.storage import Storage

from studies.datasets.drafting.picture_metadata import strip_metadata
from studies.datasets.thumbnails import name_thumbnail
from studies.models import Dataset, Image
from studies.shared.errors import ImportFailed, SourceLocation

_DRAFT: Final = ".stripping-"


@dataclass(slots=True)
class Stripped:
    """What was found.

    Attributes:
        n_images: With a file.
        n_stripped: Which had something to take out, or whose thumbnail had.
        refused: Which are as they were, each with the reason.
    """

    n_images: int = 0
    n_stripped: int = 0
    refused: list[str] = field(default_factory=list)


def strip_pictures(*, changes: bool = True) -> Stripped:
    """Strip every stored image and thumbnail by `strip_metadata`, under the name that it has.

    A file is replaced at once, when its new content is on the disk: broken off at any moment there is the old one or
    the new one, and the next call goes on. It says the same again of what could not be stripped.

    Args:
        changes: False only looks.
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
        # Counted anew and not subtracted: so it is right also after a call that was broken off.
        if changes:
            Dataset.objects.filter(pk=dataset.pk, n_bytes__gt=0).exclude(n_bytes=n_bytes).update(n_bytes=n_bytes)
    return found


def _forget_drafts() -> None:
    """Delete what a call left behind that was killed between writing a file and giving it its name."""
    with suppress(NotImplementedError):
        for path in Path(Image._meta.get_field("file").storage.path("")).rglob(f"{_DRAFT}*"):
            path.unlink(missing_ok=True)


def _strip_image(image: Image, dataset: Dataset, found: Stripped, *, changes: bool) -> int:
    """Strip an image and its thumbnail; return how many bytes the image has now."""
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
    """Return how many bytes the file has, and whether there was nothing to take out of it."""
    with storage.open(name) as file:
        content = file.read()
    left = strip_metadata(content, location)
    if left == content or not changes:
        return len(content), left == content
    try:
        _replace(Path(storage.path(name)), left)
    except NotImplementedError:
        raise ImportFailed(location, "must lie on a disk of this machine, or it cannot be replaced at once") from None
    return len(left), False


def _replace(path: Path, content: bytes) -> None:
    known = path.stat()
    draft, draft_name = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)
    try:
        with os.fdopen(draft, "wb") as file:
            file.write(content)
            # Called by root, it leaves the file to whom it belongs.
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
