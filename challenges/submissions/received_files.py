"""What has arrived of the file of a submission, which is received in parts.

In a folder, parts are appended to the file. An object cannot be appended to: parts are objects of their own, named by
the byte at which they begin, until the upload is complete.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import storages

from challenges.models import Submission
from studies.storage.kept_files import REPLACING


def find_size(submission: Submission) -> int:
    """Return how many bytes have arrived."""
    path = _find_path(submission)
    return path.stat().st_size if path else sum(part.size for part in _list_parts(submission))


def append(submission: Submission, *, offset: int, content: bytes) -> None:
    """Add what begins at a byte; call it with the row of the submission locked."""
    path = _find_path(submission)
    if path:
        with path.open("ab") as file:
            file.write(content)
    elif content:
        # A part that is sent again, since its answer was lost, replaces itself.
        storages[REPLACING].save(f"{_name_parts(submission)}{offset:015}", ContentFile(content))


@contextmanager
def open_received(submission: Submission) -> Iterator[IO[bytes]]:
    """Yield what has arrived as one file."""
    path = _find_path(submission)
    if path:
        with path.open("rb") as file:
            yield file
        return
    with TemporaryFile() as joined:
        for part in sorted(_list_parts(submission), key=lambda part: part.name):
            with storages[REPLACING].fetch(part.name) as content:
                shutil.copyfileobj(content, joined)
        joined.seek(0)
        yield joined


def complete(submission: Submission) -> str:
    """Make one file of what has arrived and return its SHA-256; parts stay until `delete_parts`."""
    with open_received(submission) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if _find_path(submission) is None:
            file.seek(0)
            storages[REPLACING].save(submission.file.name, File(file))
    return digest


def delete_parts(submission: Submission) -> None:
    """Delete the parts of an upload that is complete or cancelled; the file itself stays."""
    if _find_path(submission) is None:
        storages[REPLACING].delete_objects(_name_parts(submission))


def delete_received(submission: Submission) -> None:
    """Delete all that has arrived."""
    delete_parts(submission)
    submission.file.storage.delete(submission.file.name)


def _find_path(submission: Submission) -> Path | None:
    try:
        return Path(submission.file.path)
    except NotImplementedError:
        return None


def _list_parts(submission: Submission) -> list[Any]:
    return list(storages[REPLACING].list_objects(_name_parts(submission)))


def _name_parts(submission: Submission) -> str:
    return f"{submission.file.name}.parts/"
