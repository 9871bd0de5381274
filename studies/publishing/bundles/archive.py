"""The file format of bundles: a reproducible zip with a manifest that detects damage.

Members are sorted by name and have one fixed time; `manifest.json` lists the size and SHA-256 of every other member.
Nothing is ever unpacked to a path named in an archive.
"""

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from studies.datasets.importing.files.archives import SourceArchive
from studies.publishing.bundles.errors import BundleRefused
from studies.shared.errors import ImportFailed
from studies.shared.limits import FileLimits

FORMAT: Final = "accordance-bundle@1"
MANIFEST: Final = "manifest.json"
LIMITS: Final = FileLimits(n_bytes=2 << 30, n_members=2_000)
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_FILE_MODE: Final = 0o644 << 16
_LEVEL: Final = 6


def write_archive(files: Mapping[str, bytes], *, about: Mapping[str, Any], path: Path) -> str:
    """Write a bundle and return the SHA-256 of its manifest; the file is written completely or not at all.

    Args:
        files: Content by name.
        about: Further fields of the manifest.
        path: The file to write; an existing file is replaced.
    """
    listed = {name: _describe(content) for name, content in sorted(files.items())}
    manifest = print_json({"format": FORMAT, **about, "files": listed})
    with _replace(path) as unfinished, zipfile.ZipFile(unfinished, "w") as archive:
        for name, content in sorted({**files, MANIFEST: manifest}.items()):
            member = zipfile.ZipInfo(name, date_time=_TIME)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, _FILE_MODE
            # The same value on every system, so that the bytes do not depend on where the bundle was made.
            member.create_system = 3
            archive.writestr(member, content, compresslevel=_LEVEL)
    return hashlib.sha256(manifest).hexdigest()


def read_archive(path: Path, *, limits: FileLimits = LIMITS) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest and the files of a bundle, each checked against the manifest.

    Raises:
        BundleRefused: The file is no bundle or has another format version, it is damaged or was changed, or its
                unpacked size exceeds the limits.
    """
    try:
        archive = SourceArchive.open(path, limits=limits)
        members = list(archive.names)
        contents = [each.content for each in archive.read(members)]
    except ImportFailed as error:
        raise BundleRefused(f"{path.name} is not an intact bundle: {error}") from error
    files = dict(zip(members, contents, strict=True))
    if MANIFEST not in files:
        raise BundleRefused(f"{path.name} is not a bundle: it has no {MANIFEST}")
    manifest = _read_manifest(files.pop(MANIFEST), name=path.name)
    listed = manifest["files"]
    for name in sorted(set(listed) ^ set(files)):
        what = f"lacks {name}" if name in listed else f"holds {name}, which its manifest does not list"
        raise BundleRefused(f"{path.name} is damaged or was changed: it {what}")
    for name, content in sorted(files.items()):
        if _describe(content) != listed[name]:
            raise BundleRefused(f"{path.name} is damaged or was changed: {name} does not match its manifest")
    return manifest, files


def print_json(value: Any) -> bytes:
    """Return a value as readable JSON: indented, with sorted keys and a final newline."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n").encode()


def print_line(record: Any) -> str:
    """Return a record as one line of deterministic JSON; floats are exact."""
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"


def _describe(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _read_manifest(content: bytes, *, name: str) -> dict[str, Any]:
    try:
        manifest = json.loads(content)
    except ValueError as error:
        raise BundleRefused(f"{name}: {MANIFEST} is not valid JSON: {error}") from error
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if found != FORMAT:
        raise BundleRefused(f"{name}: {MANIFEST} must have the format {FORMAT!r}, got {found!r}")
    if not isinstance(manifest.get("files"), dict):
        raise BundleRefused(f"{name}: {MANIFEST} must list `files` by name")
    return manifest


@contextmanager
def _replace(path: Path) -> Iterator[Path]:
    """Yield a temporary path and move the file into place at the end; after an error it is removed."""
    try:
        handle, unfinished = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise BundleRefused(f"cannot write {path}: {error.strerror}") from error
    os.close(handle)
    try:
        yield Path(unfinished)
        Path(unfinished).chmod(0o644)
        Path(unfinished).replace(path)
    finally:
        Path(unfinished).unlink(missing_ok=True)
