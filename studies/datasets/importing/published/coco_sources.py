"""Finds the files of a COCO import: in a folder, in a zip or jar, or as given by options."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.opening import open_container, open_file, split_member
from studies.datasets.importing.options import ImportOptions
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import Container, SourceFile

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
    container = open_container(options.source)
    if options.annotations is not None:
        annotations = _read_annotations(options.annotations)
    elif container is not None:
        annotations = _read_only_annotations(container, hint="--annotations PATH")
    else:
        raise ImportFailed("--annotations", "must name the annotation file, because the source is a file of results")
    if options.results:
        return CocoSources(annotations, tuple(map(open_file, options.results)))
    if container is None:
        return CocoSources(annotations, (open_file(options.source),))
    names = container.list_names(_RESULTS)
    split = _find_split(annotations.name)
    chosen = [name for name in names if _find_split(name) in (None, split) or split is None]
    if not chosen:
        got = Unquoted(", ".join(names) or "none")
        raise ImportFailed(container.name, f"must hold files {_RESULTS} of split {split}", got=got)
    reason = f"(another split than {annotations.name})"
    return CocoSources(
        annotations, tuple(container.read(chosen)), tuple(f"{name} {reason}" for name in names if name not in chosen)
    )


def _read_annotations(choice: str) -> SourceFile:
    """Read `FILE`, `ARCHIVE!MEMBER`, or the annotations of an `ARCHIVE`."""
    archive, member = split_member(Path(choice))
    if archive is not None and not member:
        return _read_only_annotations(archive, hint=f"{choice}!MEMBER")
    return open_file(Path(choice))


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
