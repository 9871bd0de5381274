"""The folders in which parameters may name files, and the resolution of names in them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.paths import PathKind

_WHAT: Final[Mapping[PathKind, str]] = MappingProxyType(
    {
        PathKind.FILE: "a file",
        PathKind.FOLDER: "a folder",
        PathKind.MEMBER: "a file, or ARCHIVE!MEMBER,",
        PathKind.MEMBERS: "files, separated by commas,",
        PathKind.ENCODER: "an installed encoder, or a file or folder",
    }
)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:@[A-Za-z0-9]+)?")
_MARK: Final = re.compile(r"[A-Za-z0-9]+")
_PREFIX: Final = re.compile(r"[a-z]+:")
_LONGEST: Final = 500
_MOST_ENTRIES: Final = 10_000


class PathRefused(MetricError):
    """A parameter does not name a readable file; the message is the same for every cause, to reveal nothing."""

    def __init__(self, name: str, kind: PathKind) -> None:
        super().__init__(
            f"{name} must name {_WHAT[kind]} by its path within the files of the dataset or the operator's resources"
        )


@dataclass(frozen=True, slots=True)
class FileRoots:
    """The folders that parameters may name files in.

    Attributes:
        folders: Searched in order. None allows any path, for users who can read all files anyway.
    """

    folders: tuple[Path, ...] | None = None

    def resolve(self, name: str, kind: PathKind, value: str) -> str:
        """Return the value of a parameter with its path resolved to one without symbolic links.

        Raises:
            PathRefused: No file of that kind has this name in the allowed folders.
        """
        if not value:
            return value
        if self.folders is None:
            return str(Path(value).absolute()) if kind is PathKind.ENCODER and _names_something(value) else value
        found = None
        if len(value) <= _LONGEST and value.isprintable() and "\\" not in value:
            try:
                found = self._find(kind, value)
            except (OSError, ValueError, RuntimeError):
                # Too long, a loop of links, or no permission: reported like every other failure.
                found = None
        if found is None:
            raise PathRefused(name, kind)
        return found

    def _find(self, kind: PathKind, value: str) -> str | None:
        if kind is PathKind.FILE:
            return _print(self._locate(value, is_kind=Path.is_file))
        if kind is PathKind.FOLDER:
            return self._find_folder(value)
        if kind is PathKind.MEMBER:
            return self._find_member(value)
        if kind is PathKind.MEMBERS:
            found = [self._find_member(part.strip()) for part in value.split(",") if part.strip()]
            # A path that contains a comma would be split in two.
            return ",".join(map(str, found)) if found and all(each and "," not in each for each in found) else None
        return self._find_encoder(value)

    def _find_member(self, value: str) -> str | None:
        if whole := self._locate(value, is_kind=Path.is_file):
            return str(whole)
        archive, mark, member = value.rpartition("!")
        # Readers first try the whole value as a file name, which could be a link out of the allowed folders.
        if not mark or not _is_plain(member) or self._exists(value):
            return None
        container = self._locate(archive, is_kind=Path.is_file)
        return f"{container}!{member}" if container else None

    def _find_folder(self, value: str) -> str | None:
        plain, mark, suffix = value.rpartition("@")
        if mark and _MARK.fullmatch(suffix) and (folder := self._locate(plain, is_kind=Path.is_dir)):
            # Readers may open the whole value, which could be a link out of the allowed folders.
            return f"{folder}@{suffix}" if self._is_closed(folder) and not self._exists(value) else None
        if mark and self._exists(plain):
            return None
        whole = self._locate(value, is_kind=Path.is_dir)
        return str(whole) if whole and self._is_closed(whole) else None

    def _find_encoder(self, value: str) -> str | None:
        prefix = found.group() if (found := _PREFIX.match(value)) else ""
        rest = value.removeprefix(prefix)
        located = self._find_folder(rest) or _print(self._locate(rest, is_kind=Path.is_file))
        if located:
            return prefix + located
        # A bare name is not a path: encoder providers open only absolute paths.
        is_there = self._exists(value) or self._exists(value.partition("@")[0])
        return value if not prefix and _NAME.fullmatch(value) and not is_there else None

    def _locate(self, value: str, *, is_kind: Callable[[Path], bool]) -> Path | None:
        if not _is_plain(value):
            return None
        for root in (root.resolve() for root in self.folders or ()):
            path = (root / value).resolve()
            if path != root and path.is_relative_to(root) and is_kind(path):
                return path
        return None

    def _exists(self, value: str) -> bool:
        return _is_plain(value) and any((root / value).exists() for root in self.folders or ())

    def _is_closed(self, folder: Path) -> bool:
        """Return whether no link in a folder leads out of the allowed folders."""
        roots = [root.resolve() for root in self.folders or ()]
        for count, entry in enumerate(folder.rglob("*")):
            if count >= _MOST_ENTRIES:
                return False
            if entry.is_symlink() and not any(entry.resolve().is_relative_to(root) for root in roots):
                return False
        return True


ANYWHERE: Final = FileRoots()
"""Allows every path; for command lines and notebooks."""
NOWHERE: Final = FileRoots(())
"""Allows no path; the default where no folders were configured."""


def _is_plain(value: str) -> bool:
    parts = value.split("/")
    return bool(value) and value[0] not in "/~" and not {"", ".", ".."}.intersection(parts) and ":" not in value


def _names_something(value: str) -> bool:
    try:
        return Path(value).exists() or Path(value.rpartition("@")[0] or value).is_dir()
    except (OSError, ValueError):
        return False


def _print(path: Path | None) -> str | None:
    return str(path) if path else None
