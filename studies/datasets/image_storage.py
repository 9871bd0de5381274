"""Stores image files in the media folder, or in the object store; all code that adds images uses it."""

import shutil
from pathlib import Path
from typing import Any, Final

from django.core.files.base import ContentFile

from jobs.enums import UNDER_WAY
from jobs.models import Job
from studies.datasets.drafts.picture_metadata import strip_metadata
from studies.datasets.thumbnails import FOLDER, keep_thumbnail
from studies.models import Image
from studies.shared.errors import SourceLocation

_OF_A_JOB: Final = "job-"


def store_picture(image: Image, *, name: str, content: bytes, location: SourceLocation, folder: str = "") -> int:
    """Store the file of an image, upright and without metadata, and its thumbnail if it is large; return its bytes.

    The image itself is not saved.

    Args:
        image: The image that gets the file.
        name: The name of the file.
        content: The original content.
        location: The location for messages.
        folder: The folder of the job that stores it, from `name_folder`; empty for a command.

    Raises:
        ImportFailed: The picture is damaged, or has metadata that cannot be removed.
    """
    stripped = strip_metadata(content, location)
    image.file.save(f"{folder}/{name}" if folder else name, ContentFile(stripped), save=False)
    keep_thumbnail(image)
    return len(stripped)


def name_folder(job: Job) -> str:
    """Return the name of the folder for all pictures stored by a job, by which unused ones are found."""
    return f"{_OF_A_JOB}{job.pk}"


def delete_folder(name: str) -> None:
    """Delete the folder of a job with its content, unless images of a study are in it."""
    if Image.objects.filter(file__startswith=f"{_find_prefix()}{name}/").exists():
        return
    for folder in (f"{_find_prefix()}{name}", f"{FOLDER}{_find_prefix()}{name}"):
        _delete_tree(folder)


def delete_left_folders() -> None:
    """Delete the folders of finished jobs that no study uses.

    The process of a cancelled job may store another picture between the cancellation and its own end.
    """
    names = _list_folders_of_jobs()
    if not names:
        return
    # In this order: a job that ends in between has either created its study, or is found by the next call.
    busy = {name_folder(job) for job in Job.objects.filter(state__in=UNDER_WAY).only("pk")}
    of_studies = Image.objects.filter(file__startswith=f"{_find_prefix()}{_OF_A_JOB}").values_list("file", flat=True)
    used = {Path(file).parent.name for file in of_studies.iterator()}
    for name in names - busy - used:
        delete_folder(name)


def _list_folders_of_jobs() -> set[str]:
    try:
        folders, _ = _get_storage().listdir(_find_prefix())
    except FileNotFoundError:
        return set()
    return {name for name in folders if name.startswith(_OF_A_JOB)}


def _delete_tree(name: str) -> None:
    storage = _get_storage()
    try:
        path = Path(storage.path(name))
    except NotImplementedError:
        storage.delete_objects(f"{name}/")
    else:
        shutil.rmtree(path, ignore_errors=True)


def _find_prefix() -> str:
    return str(Image._meta.get_field("file").upload_to)  # type: ignore[union-attr]


def _get_storage() -> Any:
    return Image._meta.get_field("file").storage  # type: ignore[union-attr]
