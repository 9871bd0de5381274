"""Stores uploads for a day, until they become a study, in private folders limited per user."""

import json
import re
import secrets
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from django.conf import settings

from studies.shared.errors import ImportFailed

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
    def folder(self) -> Path:
        return _find_root() / self.token

    @property
    def item_paths(self) -> list[Path]:
        return [self.folder / f"items-{number}" / name for number, name in enumerate(self.items)]

    @property
    def image_path(self) -> Path:
        return self.folder / "images" / self.images

    @property
    def reference_path(self) -> Path:
        return self.folder / "references" / self.references


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
    staged.folder.mkdir(mode=0o700, parents=True)
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
        for path in staged.item_paths:
            path.unlink(missing_ok=True)
        staged = replace(staged, items=tuple(map(_clean_name, items)))
        for file, path in zip(items, staged.item_paths, strict=True):
            _write(file, path)
    if images:
        staged = replace(staged, images=_clean_name(images))
        _write(images, staged.image_path)
    if references:
        staged = replace(staged, references=_clean_name(references))
        _write(references, staged.reference_path)
    return save_staged(replace(staged, round=secrets.token_hex(8), n_bytes=0, checked={}))


def save_staged(staged: Staged) -> Staged:
    """Store the record of an upload beside its files."""
    facts = {**asdict(staged), "at": staged.at.isoformat()}
    del facts["checked"]
    _write_json(staged.folder / _FACTS, facts)
    return staged


def save_checked(staged: Staged, checked: Mapping[str, Any]) -> Staged:
    """Store the findings for an upload; they are ignored once its files are replaced."""
    _write_json(staged.folder / _CHECKED, {"round": staged.round, "checked": checked})
    return replace(staged, checked=checked)


def load_staged(token: str) -> Staged | None:
    """Return the upload of any user; None if there is none."""
    # A token must be a generated name, and cannot lead to another folder.
    if not _TOKEN.fullmatch(token):
        return None
    try:
        facts = json.loads((_find_root() / token / _FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    at, items = datetime.fromisoformat(facts["at"]), tuple(facts["items"])
    return Staged(**{**facts, "at": at, "items": items, "checked": _load_checked(token, facts["round"])})


def measure_uploads(user: Any) -> int:
    """Return the number of bytes of a user's uploads."""
    return sum(max(staged.n_bytes, measure_upload(staged)) for staged in _list_of_user(user.pk))


def measure_upload(staged: Staged) -> int:
    """Return the current number of bytes of an upload."""
    return sum(path.stat().st_size for path in staged.folder.rglob("*") if path.is_file())


def find_staged(token: str, *, user: Any, now: datetime) -> Staged | None:
    """Return an upload of this user; None if there is none or it has expired."""
    staged = load_staged(token)
    return staged if staged and staged.user == user.pk and staged.at > now - LONGEST else None


def delete_staged(staged: Staged) -> None:
    """Delete an upload and its files."""
    shutil.rmtree(staged.folder, ignore_errors=True)


def delete_old_uploads(*, now: datetime) -> int:
    """Delete uploads older than a day; return their number."""
    gone = 0
    for folder in _list_folders():
        staged = load_staged(folder.name)
        age = staged.at if staged else datetime.fromtimestamp(folder.stat().st_mtime, tz=now.tzinfo)
        if age <= now - LONGEST:
            shutil.rmtree(folder, ignore_errors=True)
            gone += 1
    return gone


def _list_of_user(user: int) -> list[Staged]:
    """Return a user's uploads, newest first."""
    found = (load_staged(folder.name) for folder in _list_folders())
    return sorted((one for one in found if one and one.user == user), key=lambda one: one.at, reverse=True)


def _list_folders() -> list[Path]:
    root = _find_root()
    return [folder for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []


def _load_checked(token: str, wanted: str) -> dict[str, Any]:
    try:
        kept = json.loads((_find_root() / token / _CHECKED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(kept["checked"]) if kept["round"] == wanted else {}


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    # Replace the file atomically, since another process may be reading it.
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    new.write_text(json.dumps(data), encoding="utf-8")
    new.replace(path)


def _find_root() -> Path:
    return Path(settings.ACCORDANCE_UPLOADS)


def _clean_name(file: Uploaded) -> str:
    """Return the name of a file for messages and storage: short, printable, and without folders."""
    name = (file.name or "").replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in name if letter.isprintable())[-60:].lstrip(".") or "file"


def _write(file: Uploaded, path: Path) -> None:
    # Otherwise a previous file with another name would remain.
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir(mode=0o700)
    with path.open("wb") as kept:
        for chunk in file.chunks():
            kept.write(chunk)
