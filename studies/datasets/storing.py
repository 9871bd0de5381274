"""The one road on which the file of an image comes into the media folder."""

import shutil
from pathlib import Path
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from jobs.enums import UNDER_WAY
from jobs.models import Job
from studies.datasets.drafting.picture_metadata import strip_metadata
from studies.datasets.thumbnails import FOLDER, keep_thumbnail
from studies.models import Image
from studies.shared.errors import SourceLocation

_OF_A_JOB: Final = "job-"


def store_picture(image: Image, *, name: str, content: bytes, location: SourceLocation, folder: str = "") -> int:
    """Store the file of an image, upright and without metadata, and its thumbnail if it is large; return its bytes.

    The image itself is not saved.

    Args:
        image: Gets the file.
        name: Of the file.
        content: The picture as it came.
        location: For messages.
        folder: Of the job that stores it, by `name_folder`; none for a command.

    Raises:
        ImportFailed: It is damaged, or has metadata that cannot be taken out.
    """
    stripped = strip_metadata(content, location)
    image.file.save(f"{folder}/{name}" if folder else name, ContentFile(stripped), save=False)
    keep_thumbnail(image)
    return len(stripped)


def name_folder(job: Job) -> str:
    """Return the name of the folder for all pictures that a job stores: what it leaves behind is found by it."""
    return f"{_OF_A_JOB}{job.pk}"


def delete_folder(name: str) -> None:
    """Delete a folder of a job with all that is in it, unless a study was made of it."""
    if Image.objects.filter(file__startswith=f"{_find_prefix()}{name}/").exists():
        return
    for path in _list_locations(name):
        shutil.rmtree(path, ignore_errors=True)


def delete_left_folders() -> None:
    """Delete the folders of jobs that are over and that no study was made of.

    The process of a job that was cancelled may have stored a picture between the end of the job and its own.
    """
    names = {path.name for root in _list_locations("")[:1] for path in root.glob(f"{_OF_A_JOB}*")}
    if not names:
        return
    # In this order: a job that ends meanwhile has made its study, or is found the next time.
    busy = {name_folder(job) for job in Job.objects.filter(state__in=UNDER_WAY).only("pk")}
    of_studies = Image.objects.filter(file__startswith=f"{_find_prefix()}{_OF_A_JOB}").values_list("file", flat=True)
    used = {Path(file).parent.name for file in of_studies.iterator()}
    for name in names - busy - used:
        delete_folder(name)


def _find_prefix() -> str:
    return str(Image._meta.get_field("file").upload_to)  # type: ignore[union-attr]


def _list_locations(name: str) -> list[Path]:
    storage = Image._meta.get_field("file").storage  # type: ignore[union-attr]
    if not isinstance(storage, FileSystemStorage):
        return []
    return [Path(storage.path(f"{inside}{_find_prefix()}{name}")) for inside in ("", FOLDER)]
