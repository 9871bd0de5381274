"""The bytes of a results file, alone or packed in a zip, read within a limit."""

import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from metrics_plugins.readers.records import InputError, shorten

NAME_PATTERN: Final = re.compile(r"captions_(?P<split>[A-Za-z0-9-]+)_(?P<algorithm>.+)_results\.json")
"""The name that COCO prescribes for results."""

_ZIP_START: Final = b"PK"
_ENCRYPTED: Final = 0x1
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END: Final = struct.Struct("<4s4H2LH")
_END_SIGNATURE: Final = b"PK\x05\x06"
_ZIP64_SIGNATURE: Final = b"PK\x06\x07"
_ZIP64_LENGTH: Final = 20
_LONGEST_COMMENT: Final = 0xFFFF
_LARGEST_TABLE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class ResultsContent:
    """The JSON of a results file.

    Attributes:
        content: Its bytes.
        split: The split named by a file `captions_<split>_<algorithm>_results.json`; None if its name is another.
        algorithm: The algorithm that this name states; None if its name is another.
    """

    content: bytes
    split: str | None
    algorithm: str | None


def read_results_content(source: Path | BinaryIO, *, max_bytes: int) -> ResultsContent:
    """Read a JSON file, or the only results file of a zip, which is recognised by its content.

    Args:
        source: A file, or a stream that can seek, whose name is used if it has one.
        max_bytes: The limit of the file's size, and of the unpacked size of a member, in bytes.

    Raises:
        InputError: The file cannot be read, is empty or too large, or is a zip that does not hold exactly one results
            file. The message does not name the file.
    """
    if isinstance(source, Path):
        try:
            with source.open("rb") as stream:
                return _read_stream(stream, name=source.name, max_bytes=max_bytes)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}") from error
    return _read_stream(source, name=str(getattr(source, "name", "") or ""), max_bytes=max_bytes)


def _read_stream(stream: BinaryIO, *, name: str, max_bytes: int) -> ResultsContent:
    stream.seek(0)
    start = stream.read(len(_ZIP_START))
    stream.seek(0)
    if start == _ZIP_START:
        return _read_archive(stream, max_bytes=max_bytes)
    content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise InputError(f"must have at most {max_bytes:,} bytes, got more")
    return _name_content(content, name=Path(name).name)


def _read_archive(stream: BinaryIO, *, max_bytes: int) -> ResultsContent:
    _check_table(stream, max_bytes=max_bytes)
    try:
        with zipfile.ZipFile(stream) as archive:
            member = _find_member(archive.infolist())
            name = member.filename.rpartition("/")[2]
            if member.file_size > max_bytes:
                raise InputError(f"{name} must unpack to at most {max_bytes:,} bytes, got {member.file_size:,}")
            with archive.open(member) as packed:
                content = packed.read(max_bytes + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"must be an intact zip, got: {error or 'truncated data'}") from error
    if len(content) > max_bytes:
        raise InputError(f"{name} must unpack to at most {max_bytes:,} bytes, got more")
    return _name_content(content, name=name)


def _check_table(stream: BinaryIO, *, max_bytes: int) -> None:
    # zipfile makes an object of every entry of the table of contents, before it can be asked how many there are.
    size = stream.seek(0, 2)
    if size > max_bytes:
        raise InputError(f"must have at most {max_bytes:,} bytes, got {size:,}")
    stream.seek(max(0, size - _END.size - _LONGEST_COMMENT - _ZIP64_LENGTH))
    tail = stream.read()
    start = tail.rfind(_END_SIGNATURE)
    if start < 0 or len(tail) - start < _END.size:
        raise InputError("must be an intact zip, got a file without a table of contents")
    table_size = _END.unpack_from(tail, start)[5]
    if _ZIP64_SIGNATURE in tail[max(0, start - _ZIP64_LENGTH) : start]:
        raise InputError("must be a plain zip, got one in the format for files above 4 GiB (zip64)")
    if table_size > _LARGEST_TABLE:
        raise InputError(f"must be a zip of one file, got a table of contents of {table_size:,} bytes")


def _find_member(members: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    files = [member for member in members if not member.is_dir() and not _is_from_finder(member.filename)]
    if len(files) != 1:
        raise InputError(
            f"must hold exactly one file captions_<split>_<algorithm>_results.json, got {len(files)} files"
        )
    member = files[0]
    name = member.filename.rpartition("/")[2]
    if not NAME_PATTERN.fullmatch(name):
        raise InputError(f"must hold a file captions_<split>_<algorithm>_results.json, got {shorten(name)}")
    if member.flag_bits & _ENCRYPTED:
        raise InputError(f"{name} must not be encrypted")
    if member.compress_type not in _METHODS:
        # Other methods can need gigabytes of memory for a few bytes.
        raise InputError(f"{name} must be packed by 'deflate' or 'store', got method {member.compress_type}")
    return member


def _is_from_finder(name: str) -> bool:
    # macOS adds these to archives that its users make.
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] == ".DS_Store"


def _name_content(content: bytes, *, name: str) -> ResultsContent:
    if not content:
        raise InputError("must hold captions, got an empty file")
    match = NAME_PATTERN.fullmatch(name)
    if match is None:
        return ResultsContent(content=content, split=None, algorithm=None)
    return ResultsContent(content=content, split=match["split"], algorithm=match["algorithm"])
