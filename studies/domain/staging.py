"""Uploads wait in a folder of their own until they are made a study: private to who sent them, few, and for a day."""

import json
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from django.conf import settings

LONGEST: Final = timedelta(days=1)
MOST_OF_A_USER: Final = 3
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_FACTS: Final = "facts.json"


class Uploaded(Protocol):
    """A file as a form hands it over."""

    name: str | None

    def chunks(self) -> Iterable[bytes]: ...


@dataclass(frozen=True, slots=True)
class Staged:
    """One upload: who sent it and when, what the form said, and the files by role with the names they came under."""

    token: str
    user: int
    at: datetime
    choices: Mapping[str, str]
    items: tuple[str, ...] = ()
    images: str = ""
    references: str = ""
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


def stage_upload(user: Any, *, choices: Mapping[str, str], now: datetime) -> Staged:
    """Begin an upload: a new folder that only this server can read. The user's oldest ones make room for it."""
    delete_old_uploads(now=now)
    for old in _list_of_user(user.pk)[MOST_OF_A_USER - 1 :]:
        delete_staged(old)
    staged = Staged(token=secrets.token_urlsafe(16), user=user.pk, at=now, choices=dict(choices))
    staged.folder.mkdir(mode=0o700, parents=True)
    return save_staged(staged)


def keep_files(
    staged: Staged,
    *,
    items: Sequence[Uploaded] = (),
    images: Uploaded | None = None,
    references: Uploaded | None = None,
) -> Staged:
    """Keep files in place of those of the same role that are there; a role without a new file keeps what it has."""
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
    return save_staged(staged)


def save_staged(staged: Staged) -> Staged:
    """Keep what is known of an upload beside its files."""
    facts = {**asdict(staged), "at": staged.at.isoformat()}
    (staged.folder / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
    return staged


def find_staged(token: str, *, user: Any, now: datetime) -> Staged | None:
    """Return the user's own upload; None if there is none, or none any more."""
    staged = _load(token)
    return staged if staged and staged.user == user.pk and staged.at > now - LONGEST else None


def delete_staged(staged: Staged) -> None:
    """Forget an upload with its files."""
    shutil.rmtree(staged.folder, ignore_errors=True)


def delete_old_uploads(*, now: datetime) -> int:
    """Delete the uploads that nobody made a study of within a day; return how many there were."""
    gone = 0
    for folder in _list_folders():
        staged = _load(folder.name)
        age = staged.at if staged else datetime.fromtimestamp(folder.stat().st_mtime, tz=now.tzinfo)
        if age <= now - LONGEST:
            shutil.rmtree(folder, ignore_errors=True)
            gone += 1
    return gone


def _list_of_user(user: int) -> list[Staged]:
    """Return a user's uploads, newest first."""
    found = (_load(folder.name) for folder in _list_folders())
    return sorted((one for one in found if one and one.user == user), key=lambda one: one.at, reverse=True)


def _list_folders() -> list[Path]:
    root = _find_root()
    return [folder for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []


def _load(token: str) -> Staged | None:
    # A token is a name of ours, and never a way through the folders.
    if not _TOKEN.fullmatch(token):
        return None
    try:
        facts = json.loads((_find_root() / token / _FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Staged(**{**facts, "at": datetime.fromisoformat(facts["at"]), "items": tuple(facts["items"])})


def _find_root() -> Path:
    return Path(settings.ACCORDANCE_UPLOADS)


def _clean_name(file: Uploaded) -> str:
    """Return a file's own name, for messages and to keep it under: short, printable, and no way to another folder."""
    name = (file.name or "").replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in name if letter.isprintable())[-60:].lstrip(".") or "file"


def _write(file: Uploaded, path: Path) -> None:
    # A file that came before under another name would stay otherwise.
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir(mode=0o700)
    with path.open("wb") as kept:
        for chunk in file.chunks():
            kept.write(chunk)
