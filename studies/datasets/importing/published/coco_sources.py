"""Finds the files of a COCO import: in a folder, in a zip or jar, or as given by options."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.archives import SourceArchive
from studies.datasets.importing.options import ImportOptions
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import Container, SourceFile, SourceFolder, read_file

_ARCHIVES: Final = (".zip", ".jar")
_RESULTS: Final = "*_results.json"
_ANNOTATIONS: Final = "captions_*.json"
_SPLIT: Final = re.compile(r"captions_([^_.]+)")


@dataclass(frozen=True, slots=True)
class CocoSources:
    """The content of the files of one import, and the names of files found that belong to another split."""

    annotations: SourceFile
    results: tuple[SourceFile, ...]
    left_out: tuple[str, ...] = ()


def find_sources(options: ImportOptions) -> CocoSources:
    """Find and read the annotation file and the result files.

    All results named by an option are read. Of those found in a folder or archive, files of another split than the
    annotation file's are left out, since the server's zip has val and test results, and test has no references.

    Raises:
        ImportFailed: There are no such files, or more than one annotation file.
    """
    container = _open_container(options.source)
    if options.annotations is not None:
        annotations = _read_annotations(options.annotations)
    elif container is not None:
        annotations = _read_only_annotations(container, hint="--annotations PATH")
    else:
        raise ImportFailed("--annotations", "must name the annotation file, because the source is a file of results")
    if options.results:
        return CocoSources(annotations, tuple(read_file(path) for path in options.results))
    if container is None:
        return CocoSources(annotations, (read_file(options.source),))
    names = container.list_names(_RESULTS)
    split = _find_split(annotations.name)
    chosen = [name for name in names if _find_split(name) in (None, split) or split is None]
    if not chosen:
        got = Unquoted(", ".join(names) or "none")
        raise ImportFailed(container.name, f"must hold files {_RESULTS} of split {split}", got=got)
    reason = f"(another split than {annotations.name})"
    return CocoSources(
        annotations,
        tuple(container.read(chosen)),
        tuple(f"{name} {reason}" for name in names if name not in chosen),
    )


def _open_container(path: Path) -> Container | None:
    if path.suffix in _ARCHIVES:
        return SourceArchive.open(path)
    return SourceFolder.open(path) if path.is_dir() else None


def _read_annotations(choice: str) -> SourceFile:
    """Read `FILE`, `ARCHIVE` or `ARCHIVE!MEMBER`; the folders of a member may be omitted."""
    path, mark, member = choice.rpartition("!") if "!" in choice else (choice, "", "")
    if Path(path).suffix not in _ARCHIVES:
        return read_file(Path(choice))
    archive = SourceArchive.open(Path(path))
    if not mark:
        return _read_only_annotations(archive, hint=f"{path}!MEMBER")
    names = [name for name in archive.names if member in (name, name.rpartition("/")[2])]
    if len(names) != 1:
        present = ", ".join(archive.list_names(_ANNOTATIONS)) or "none"
        raise ImportFailed(f"{archive.name}!{member}", f"is not a member; the members are: {present}")
    return archive.read(names)[0]


def _read_only_annotations(container: Container, *, hint: str) -> SourceFile:
    results = container.list_names(_RESULTS)
    names = [name for name in container.list_names(_ANNOTATIONS) if name not in results]
    if len(names) != 1:
        got = Unquoted(", ".join(names) or "none")
        raise ImportFailed(container.name, f"must hold one file {_ANNOTATIONS}, or choose one with {hint}", got=got)
    return container.read(names)[0]


def _find_split(name: str) -> str | None:
    match = _SPLIT.match(name.rpartition("/")[2])
    return match[1] if match else None
