"""Stores uploads for a day, until they become a study, in private folders limited per user.

The folders are on this machine, or in the object store if there is one: a worker on another machine reads them too.
"""

import json
import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from django.conf import settings

from studies.shared.errors import ImportFailed
from studies.storage.kept_files import KeptFiles, find_kept_files

LONGEST: Final = timedelta(days=1)
MOST_OF_A_USER: Final = 3
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_FACTS: Final = "facts.json"
_CHECKED: Final = "checked.json"


class Uploaded(Protocol):
    """A file from a form."""

    name: str | None

    def chunks(self) -> Iterable[bytes]: ...


@dataclass(frozen=True, slots=True)
class Staged:
    """An upload: its user and time, the values of the form, and the original file names by role.

    `round` changes with the files and choices, and `checked` has the findings for the files of this round. `n_bytes` is
    the expected size while files are being written, and 0 when they are complete.
    """

    token: str
    user: int
    at: datetime
    choices: Mapping[str, str]
    items: tuple[str, ...] = ()
    images: str = ""
    references: str = ""
    round: str = ""
    n_bytes: int = 0
    checked: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the tables in the folder of the upload."""
        return [f"items-{number}/{name}" for number, name in enumerate(self.items)]

    @property
    def image_name(self) -> str:
        """The name of the archive of images in the folder."""
        return f"images/{self.images}"

    @property
    def reference_name(self) -> str:
        """The name of the file of references in the folder."""
        return f"references/{self.references}"


@dataclass(frozen=True, slots=True)
class OpenUpload:
    """The files of an upload on this machine, for reading."""

    staged: Staged
    folder: Path

    @property
    def item_paths(self) -> list[Path]:
        return [self.folder / name for name in self.staged.names]

    @property
    def image_path(self) -> Path:
        return self.folder / self.staged.image_name

    @property
    def reference_path(self) -> Path:
        return self.folder / self.staged.reference_name


def stage_upload(
    user: Any, *, choices: Mapping[str, str], now: datetime, busy: Collection[str] = (), n_bytes: int = 0
) -> Staged:
    """Create an upload of so many bytes, with a new folder that only this server can read.

    The oldest uploads of the user are deleted if there are too many.

    Raises:
        ImportFailed: The other uploads of the user cannot be deleted, since their tokens are in `busy`.
    """
    delete_old_uploads(now=now)
    there = _list_of_user(user.pk)
    idle = [one for one in reversed(there) if one.token not in busy]
    too_many = len(there) - (MOST_OF_A_USER - 1)
    if too_many > len(idle):
        rule = f"may have at most {MOST_OF_A_USER} uploads being checked: wait until one is done, or delete it"
        raise ImportFailed("your account", rule)
    for old in idle[: max(0, too_many)]:
        delete_staged(old)
    token = secrets.token_urlsafe(16)
    staged = Staged(token=token, user=user.pk, at=now, choices=dict(choices), n_bytes=n_bytes)
    return save_staged(staged)


def keep_files(
    staged: Staged,
    *,
    items: Sequence[Uploaded] = (),
    images: Uploaded | None = None,
    references: Uploaded | None = None,
) -> Staged:
    """Store files, replacing those of the same role; a role without a new file is unchanged."""
    if items:
        for number in range(len(staged.items)):
            _find_files().delete(f"{staged.token}/items-{number}")
        staged = replace(staged, items=tuple(map(_clean_name, items)))
        for file, name in zip(items, staged.names, strict=True):
            _find_files().write(f"{staged.token}/{name}", file.chunks())
    if images:
        _find_files().delete(f"{staged.token}/images")
        staged = replace(staged, images=_clean_name(images))
        _find_files().write(f"{staged.token}/{staged.image_name}", images.chunks())
    if references:
        _find_files().delete(f"{staged.token}/references")
        staged = replace(staged, references=_clean_name(references))
        _find_files().write(f"{staged.token}/{staged.reference_name}", references.chunks())
    return save_staged(replace(staged, round=secrets.token_hex(8), n_bytes=0, checked={}))


def save_staged(staged: Staged) -> Staged:
    """Store the record of an upload beside its files."""
    facts = {**asdict(staged), "at": staged.at.isoformat()}
    del facts["checked"]
    _write_json(f"{staged.token}/{_FACTS}", facts)
    return staged


def save_checked(staged: Staged, checked: Mapping[str, Any]) -> Staged:
    """Store the findings for an upload; they are ignored once its files are replaced."""
    _write_json(f"{staged.token}/{_CHECKED}", {"round": staged.round, "checked": checked})
    return replace(staged, checked=checked)


@contextmanager
def open_upload(staged: Staged) -> Iterator[OpenUpload]:
    """Yield the files of an upload; those in the object store are copied here for the time of the block."""
    with _find_files().share(staged.token) as folder:
        yield OpenUpload(staged, folder)


def load_staged(token: str) -> Staged | None:
    """Return the upload of any user; None if there is none."""
    # A token must be a generated name, and cannot lead to another folder.
    if not _TOKEN.fullmatch(token):
        return None
    try:
        facts = _read_json(f"{token}/{_FACTS}")
    except (OSError, ValueError):
        return None
    at, items = datetime.fromisoformat(facts["at"]), tuple(facts["items"])
    return Staged(**{**facts, "at": at, "items": items, "checked": _load_checked(token, facts["round"])})


def measure_uploads(user: Any) -> int:
    """Return the number of bytes of a user's uploads."""
    return sum(max(staged.n_bytes, measure_upload(staged)) for staged in _list_of_user(user.pk))


def measure_upload(staged: Staged) -> int:
    """Return the current number of bytes of an upload."""
    return _find_files().measure(staged.token)


def find_staged(token: str, *, user: Any, now: datetime) -> Staged | None:
    """Return an upload of this user; None if there is none or it has expired."""
    staged = load_staged(token)
    return staged if staged and staged.user == user.pk and staged.at > now - LONGEST else None


def list_staged(user: Any, *, now: datetime) -> list[Staged]:
    """Return the uploads of this user that have not expired, newest first."""
    return [staged for staged in _list_of_user(user.pk) if staged.at > now - LONGEST]


def delete_staged(staged: Staged) -> None:
    """Delete an upload and its files."""
    _find_files().delete(staged.token)


def delete_old_uploads(*, now: datetime) -> int:
    """Delete uploads older than a day; return their number."""
    gone, files = 0, _find_files()
    for token in files.list_names():
        staged = load_staged(token)
        try:
            at = staged.at if staged else files.find_time(token)
        except FileNotFoundError:
            # Another process has just deleted it.
            continue
        if at <= now - LONGEST:
            files.delete(token)
            gone += 1
    return gone


def _list_of_user(user: int) -> list[Staged]:
    """Return a user's uploads, newest first."""
    found = map(load_staged, _find_files().list_names())
    return sorted((one for one in found if one and one.user == user), key=lambda one: one.at, reverse=True)


def _load_checked(token: str, wanted: str) -> dict[str, Any]:
    try:
        kept = _read_json(f"{token}/{_CHECKED}")
    except (OSError, ValueError):
        return {}
    return dict(kept["checked"]) if kept["round"] == wanted else {}


def _read_json(name: str) -> dict[str, Any]:
    with _find_files().open(name) as file:
        return dict(json.load(file))


def _write_json(name: str, data: Mapping[str, Any]) -> None:
    _find_files().write(name, [json.dumps(data).encode()])


def _find_files() -> KeptFiles:
    return find_kept_files(Path(settings.ACCORDANCE_UPLOADS))


def _clean_name(file: Uploaded) -> str:
    """Return the name of a file for messages and storage: short, printable, and without folders."""
    name = (file.name or "").replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in name if letter.isprintable())[-60:].lstrip(".") or "file"
