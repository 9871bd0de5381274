"""Opens what a person names: a file, a member of an archive, or files that are found in a folder or an archive."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.archives import SourceArchive
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import Container, SourceFile, SourceFolder, read_file

ARCHIVES: Final = (".zip", ".jar")
_MARK: Final = "!"


def open_file(choice: Path) -> SourceFile:
    """Read `FILE`, `ARCHIVE!MEMBER`, or an `ARCHIVE` that holds a single file.

    The folders of a member may be omitted if its name occurs once.
    """
    archive, member = split_member(choice)
    if archive is None:
        return read_file(choice)
    names = [name for name in archive.names if not name.startswith("__MACOSX/")]
    if member:
        names = [name for name in archive.names if member in (name, name.rpartition("/")[2])]
    if len(names) == 1:
        return archive.read(names)[0]
    ending = Path(member or "x").suffix
    present = ", ".join([name for name in archive.names if name.endswith(ending)][:20]) or "none"
    if len(names) > 1 and member:
        rule = f"must be one member, with its folder; there are: {', '.join(names)}"
        raise ImportFailed(f"{archive.name}{_MARK}{member}", rule)
    if member:
        raise ImportFailed(f"{archive.name}{_MARK}{member}", f"is not a member; the members are: {present}")
    rule = f"must hold one file, or name the member: {archive.name}{_MARK}MEMBER"
    raise ImportFailed(archive.name, rule, got=Unquoted(present))


def split_member(choice: Path) -> tuple[SourceArchive | None, str]:
    """Return the archive of `ARCHIVE!MEMBER` or `ARCHIVE` and the member, "" without one; no archive for a file."""
    text = str(choice)
    path, mark, member = text.rpartition(_MARK) if _MARK in text and not choice.exists() else (text, "", "")
    if Path(path).suffix.lower() not in ARCHIVES:
        return None, ""
    return SourceArchive.open(Path(path)), member if mark else ""


def open_container(path: Path) -> Container | None:
    """Return the folder or archive at a path; None for a file."""
    if path.is_dir():
        return SourceFolder.open(path)
    archive, member = split_member(path)
    return None if member else archive


def open_folder(path: Path) -> Container:
    """Return the folder or archive at a path; raise ImportFailed for anything else."""
    return open_container(path) or SourceFolder.open(path)


def open_files(choices: Sequence[Path], *, patterns: Sequence[str], are_several: bool) -> list[SourceFile]:
    """Read files; in a folder or archive, those whose names match the patterns.

    Args:
        choices: As a person gave them.
        patterns: Names of files, with wildcards.
        are_several: Whether a folder may have several such files.
    """
    found = []
    for choice in choices:
        container = open_container(choice)
        if container is None:
            found.append(open_file(choice))
            continue
        names = container.list_names(*patterns)
        if not names or (len(names) > 1 and not are_several):
            count = "files" if are_several else "one file"
            rule = f"must hold {count} {' or '.join(patterns)}, or name the file itself"
            raise ImportFailed(container.name, rule, got=Unquoted(", ".join(names) or "none"))
        found += container.read(names)
    return found
