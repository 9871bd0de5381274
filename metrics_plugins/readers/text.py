"""Functions that read files as bytes or text and decompress them."""

import gzip
import zipfile
import zlib
from pathlib import Path

from metrics_plugins.readers.records import InputError


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file without byte-order mark, decompressed if its name ends in `.gz`.

    Raises:
        InputError: The file is missing, unreadable, incomplete or not UTF-8; the message names the line.
    """
    content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}: line {line}: must be UTF-8, got byte 0x{content[error.start]:02x} at offset {error.start}"
        ) from error


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if its name ends in `.gz`; `ARCHIVE!MEMBER` is a file in a zip or jar.

    Raises:
        InputError: The file is missing, unreadable, empty or incomplete.
    """
    try:
        content = _read_member(path) if _is_member(path) else path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: must be a complete gzip file, got: {error}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not content:
        raise InputError(f"{path}: must hold captions, got an empty file")
    return content


def _is_member(path: Path) -> bool:
    return "!" in str(path) and not path.exists()


def _read_member(path: Path) -> bytes:
    archive, _, member = str(path).rpartition("!")
    try:
        with zipfile.ZipFile(archive) as container:
            names = [name for name in container.namelist() if member in (name, name.rpartition("/")[2])]
            if len(names) != 1:
                raise InputError(f"{path}: {archive} must hold one file {member!r}, got {len(names)}")
            return container.read(names[0])
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{path}: {archive} must be a complete, unencrypted zip, got: {error}") from error
