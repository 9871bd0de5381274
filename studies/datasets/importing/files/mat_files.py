"""Reads struct arrays and strings from MATLAB 5 files."""

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile
from studies.shared.limits import LIMITS, FileLimits, check_size

if TYPE_CHECKING:
    import numpy as np

_HEADER: Final = 128
_COMPRESSED: Final = 15
_MOST_ELEMENTS: Final = 10_000_000


def load_mat(
    file: SourceFile, *, variables: Mapping[str, tuple[str, ...]], limits: FileLimits = LIMITS
) -> dict[str, "np.ndarray[Any, Any]"]:
    """Return variables of a .mat file, each a one- or two-dimensional array.

    Args:
        file: A MATLAB 5 file (`save -v7` or older).
            variables: The variables to read, each with the fields that it must have as a struct array, else ().
            limits: The size limits for the unpacked content.

    Raises:
            ImportFailed: The file is not a MATLAB 5 file, is damaged or too large, or has another structure.
    """
    from scipy.io import loadmat, whosmat

    _check_elements(file, limits=limits)
    stream: Any = BytesIO(file.content)
    try:
        present = {name: (shape, kind) for name, shape, kind in whosmat(stream)}
        _check_variables(file, present, wanted=tuple(variables))
        loaded = loadmat(stream, variable_names=list(variables))
    except ImportFailed:
        raise
    except Exception as error:  # the reader may raise any exception for damaged bytes
        raise ImportFailed(file.name, f"is not an intact MATLAB 5 file: {error}") from error
    for name, fields in variables.items():
        have = loaded[name].dtype.names or ()
        if missing := [field for field in fields if field not in have]:
            rule = f"must be a struct array with the fields {', '.join(fields)}"
            got = Unquoted(f"no {missing[0]} (its fields: {', '.join(have) or 'none'})")
            raise ImportFailed(SourceLocation(file.name, f"variable {name}"), rule, got=got)
    return {name: loaded[name] for name in variables}


def unwrap_text(cell: Any, location: SourceLocation) -> str:
    """Return the string of a character array, which may be nested in cells of one element; '' for an empty array."""
    inner = cell
    while is_cells(inner) and inner.size == 1:
        inner = inner.reshape(-1)[0]
    if getattr(inner, "dtype", None) is None or inner.dtype.kind != "U" or inner.size > 1:
        raise ImportFailed(location, "must be a text", got=_describe(inner))
    return str(inner.reshape(-1)[0]) if inner.size else ""


def unwrap_numbers(array: Any, location: SourceLocation) -> list[int]:
    """Return whole numbers, for any number type used by MATLAB."""
    # The type may differ from cell to cell (uint8 if nothing is negative), so convert before any arithmetic.
    if getattr(array, "dtype", None) is None or array.dtype.kind not in "iuf":
        raise ImportFailed(location, "must hold numbers", got=_describe(array))
    numbers = [float(number) for number in array.reshape(-1)]
    if any(not number.is_integer() for number in numbers):
        raise ImportFailed(location, "must hold whole numbers")
    return [int(number) for number in numbers]


def is_cells(value: Any) -> bool:
    """Return whether this is a cell array."""
    dtype = getattr(value, "dtype", None)
    return dtype is not None and dtype.kind == "O"


def _check_variables(file: SourceFile, present: Mapping[str, tuple[Any, str]], *, wanted: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in present:
            rule = f"must have the variables {', '.join(wanted)}"
            raise ImportFailed(file.name, rule, got=Unquoted(f"{', '.join(present) or 'none'}"))
        shape, _ = present[name]
        n_elements = 1
        for length in shape:
            n_elements *= int(length)
        if len(shape) != 2 or n_elements > _MOST_ELEMENTS:
            rule = f"must be a matrix of at most {_MOST_ELEMENTS:,} elements"
            raise ImportFailed(
                SourceLocation(file.name, f"variable {name}"), rule, got=Unquoted("x".join(map(str, shape)))
            )


def _check_elements(file: SourceFile, *, limits: FileLimits) -> None:
    """Unpack compressed elements step by step, since the reader has no limit and does not detect truncated files."""
    content = memoryview(file.content)
    order = {b"IM": "<", b"MI": ">"}.get(bytes(content[_HEADER - 2 : _HEADER]))
    if order is None:
        got = Unquoted("MATLAB 7.3 (HDF5)" if file.content[:10] == b"MATLAB 7.3" else "something else")
        raise ImportFailed(file.name, "must be a MATLAB 5 file (in MATLAB: save -v7)", got=got)
    at, unpacked = _HEADER, 0
    while at < len(content):
        if at + 8 > len(content):
            raise ImportFailed(file.name, "is truncated: it ends within a variable")
        kind, n_bytes = struct.unpack_from(f"{order}II", content, at)
        if at + 8 + n_bytes > len(content):
            raise ImportFailed(file.name, "is truncated: it ends within a variable")
        if kind == _COMPRESSED:
            unpacked += _count_unpacked(content[at + 8 : at + 8 + n_bytes], file=file, before=unpacked, limits=limits)
        at += 8 + n_bytes


def _count_unpacked(packed: memoryview, *, file: SourceFile, before: int, limits: FileLimits) -> int:
    engine = zlib.decompressobj()
    count = 0
    rest: bytes | memoryview = packed
    try:
        while rest and not engine.eof:
            count += len(engine.decompress(rest, 1 << 20))
            check_size(before + count, n_packed=len(file.content), name=file.name, limits=limits)
            rest = engine.unconsumed_tail
    except zlib.error as error:
        raise ImportFailed(file.name, f"is damaged: {error}") from error
    return count


def _describe(value: Any) -> Unquoted:
    shape = "x".join(map(str, getattr(value, "shape", ()))) or "1"
    return Unquoted(f"{getattr(value, 'dtype', type(value).__name__)} of {shape}")
