"""Zip archives, read member by member and never unpacked to disk."""

import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, Self

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile
from studies.shared.limits import LIMITS, FileLimits, check_size, read_limited

_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True)
class SourceArchive:
    """A zip (or jar) whose table of contents has been checked."""

    path: Path
    names: tuple[str, ...]
    limits: FileLimits = LIMITS

    @classmethod
    def open(cls, path: Path, *, limits: FileLimits = LIMITS) -> Self:
        """Check the table of contents: the number of members, duplicate names, and paths that lead outside the archive.

        Raises ImportFailed with the name of the offending member, or if the file is not a valid zip.
        """
        if not path.is_file():
            got = Unquoted("something else" if path.exists() else "nothing")
            raise ImportFailed(str(path), "must be a zip file", got=got)
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise ImportFailed(path.name, f"is not an intact zip: {error}") from error
        if len(members) > limits.n_members:
            rule = f"may hold at most {limits.n_members:,} members"
            raise ImportFailed(path.name, rule, got=Unquoted(f"{len(members):,}"))
        for member in members:
            _check_name(member, archive=path.name)
        names = tuple(member.filename for member in members if not member.is_dir())
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ImportFailed(SourceLocation(path.name, f"member {twice[0]}"), "must occur only once")
        return cls(path, names, limits)

    @property
    def name(self) -> str:
        return self.path.name

    def list_names(self, *patterns: str) -> list[str]:
        """Return the members whose name, without folders, matches a pattern, sorted."""
        return sorted(
            name for name in self.names if any(fnmatch(name.rpartition("/")[2], pattern) for pattern in patterns)
        )

    def read_one(self, name: str) -> SourceFile:
        """Read the only member of this name, whatever its folder."""
        names = self.list_names(name)
        if len(names) != 1:
            rule = f"must hold one file {name}"
            raise ImportFailed(self.name, rule, got=Unquoted(", ".join(names) or "none"))
        return self.read(names)[0]

    def has(self, name: str) -> bool:
        """Return whether a member has this name, whatever its folder."""
        return bool(self.list_names(name))

    def read(self, names: Iterable[str]) -> list[SourceFile]:
        """Read members; the size limit of a single file applies to their total."""
        with zipfile.ZipFile(self.path) as archive:
            return self.read_from(archive, names)

    def read_from(self, archive: zipfile.ZipFile, names: Iterable[str]) -> list[SourceFile]:
        """Read members as `read` does, from an archive that is already open."""
        members = [archive.getinfo(name) for name in names]
        packed = sum(member.compress_size for member in members)
        unpacked = sum(member.file_size for member in members)
        # Check the declared sizes first; the actual sizes are checked while reading.
        check_size(unpacked, n_packed=packed, name=self.name, limits=self.limits)
        return [self._read_member(archive, member) for member in members]

    def _read_member(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> SourceFile:
        location = SourceLocation(self.name, f"member {member.filename}")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise ImportFailed(location, "must be a plain file", got=Unquoted("a link"))
        if member.flag_bits & _ENCRYPTED:
            raise ImportFailed(location, "must not be encrypted")
        try:
            with archive.open(member) as stream:
                content = read_limited(stream, n_packed=member.compress_size, name=str(location), limits=self.limits)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise ImportFailed(location, f"is damaged: {str(error) or 'its data is truncated'}") from error
        if len(content) != member.file_size:
            rule = f"must hold the {member.file_size:,} bytes that the archive declares"
            raise ImportFailed(location, rule, got=Unquoted(f"{len(content):,}"))
        return SourceFile(member.filename.rpartition("/")[2], content)


def _check_name(member: zipfile.ZipInfo, *, archive: str) -> None:
    # Use the stored name, since zipfile truncates names at a NUL.
    name = member.orig_filename
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or not parts[0] or ":" in parts[0] or "\0" in name:
        raise ImportFailed(archive, "may only have names inside its own folder, without '..'", got=name)
