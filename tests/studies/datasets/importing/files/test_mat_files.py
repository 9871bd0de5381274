"""Tests of MATLAB files: other structures, truncated files, decompression bombs."""

import struct
import zlib
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from studies.datasets.importing.files.mat_files import load_mat, unwrap_numbers, unwrap_text
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile
from studies.shared.limits import FileLimits

PLACE = SourceLocation("a.mat", "record 1", "x")


def save(*, compress: bool = True, **variables: Any) -> SourceFile:
    stream = BytesIO()
    savemat(stream, variables, do_compression=compress)
    return SourceFile("a.mat", stream.getvalue())


def load(file: SourceFile, **variables: tuple[str, ...]) -> str:
    with pytest.raises(ImportFailed) as caught:
        load_mat(file, variables=variables, limits=FileLimits(n_bytes=4 << 20, ratio=50, ratio_floor=1 << 20))
    return str(caught.value)


@pytest.mark.parametrize("compress", [True, False])
def test_loads_what_is_asked_for(compress: bool) -> None:
    file = save(compress=compress, numbers=np.array([[1, 2]]), other="text")

    loaded = load_mat(file, variables={"numbers": ()})
    assert list(loaded) == ["numbers"]
    assert loaded["numbers"].tolist() == [[1, 2]]


def test_refuses_another_structure() -> None:
    assert load(save(cands=[[1]], extra=[[2]]), refs=("image",)) == (
        "a.mat: must have the variables refs, got cands, extra"
    )
    assert load(save(refs=[[1]]), refs=("image", "sent")) == (
        "a.mat, variable refs: must be a struct array with the fields image, sent, got no image (its fields: none)"
    )
    assert load(save(refs=np.zeros((2, 2, 2))), refs=()) == (
        "a.mat, variable refs: must be a matrix of at most 10,000,000 elements, got 2x2x2"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.mat: must be a MATLAB 5 file (in MATLAB: save -v7), got something else"),
        (b"[1, 2]" * 100, "a.mat: must be a MATLAB 5 file (in MATLAB: save -v7), got something else"),
        (
            b"MATLAB 7.3 MAT-file".ljust(512, b" "),
            "a.mat: must be a MATLAB 5 file (in MATLAB: save -v7), got MATLAB 7.3 (HDF5)",
        ),
    ],
    ids=["empty", "text", "7.3"],
)
def test_refuses_another_kind_of_file(content: bytes, message: str) -> None:
    assert load(SourceFile("a.mat", content), refs=()) == message


@pytest.mark.parametrize("keep", [130, 140, 300, -1])
@pytest.mark.parametrize("compress", [True, False])
def test_refuses_a_cut_file(keep: int, compress: bool) -> None:
    file = save(compress=compress, refs=np.random.default_rng(0).random((40, 40)))

    message = load(SourceFile("a.mat", file.content[:keep]), refs=())
    assert message == "a.mat: is truncated: it ends within a variable"


def test_refuses_a_bomb() -> None:
    assert load(save(refs=np.zeros((100, 10_000))), refs=()).startswith(
        "a.mat: may decompress to at most 50 times its size"
    )
    packed = zlib.compress(np.random.default_rng(0).bytes(5 << 20))
    header = save(refs=[[1]]).content[:128]
    content = header + struct.pack("<II", 15, len(packed)) + packed
    assert load(SourceFile("a.mat", content), refs=()) == (
        "a.mat: may hold at most 4,194,304 bytes decompressed, got 5,242,880 or more"
    )


def test_refuses_damaged_data() -> None:
    content = bytearray(save(compress=False, refs=np.ones((4, 4)), sent="text").content)
    content[136:150] = bytes(range(200, 214))

    assert load(SourceFile("a.mat", bytes(content)), refs=()).startswith("a.mat: ")


@pytest.mark.parametrize("wrapping", [0, 1, 2])
def test_unwraps_a_text_in_cells(wrapping: int) -> None:
    cell: Any = np.array(["a b"])
    for _ in range(wrapping):
        outer = np.empty((1, 1), dtype=object)
        outer[0, 0] = cell
        cell = outer

    assert unwrap_text(cell, PLACE) == "a b"


def test_unwraps_an_empty_text() -> None:
    assert unwrap_text(np.array([], dtype="<U1"), PLACE) == ""


def test_unwraps_numbers_of_any_type() -> None:
    votes = [np.array([[1, 1]], dtype=np.uint8), np.array([[1, -1]], dtype=np.int16), np.array([[-1.0]])]

    assert [unwrap_numbers(array, PLACE) for array in votes] == [[1, 1], [1, -1], [-1]]


@pytest.mark.parametrize(
    ("unwrap", "value", "message"),
    [
        (unwrap_text, np.array([[1]]), "must be a text, got int64 of 1x1"),
        (unwrap_text, np.array(["a", "b"]), "must be a text, got <U1 of 2"),
        (unwrap_numbers, np.array(["a"]), "must hold numbers, got <U1 of 1"),
        (unwrap_numbers, np.array([0.5]), "must hold whole numbers"),
        (unwrap_numbers, np.array([np.nan]), "must hold whole numbers"),
    ],
)
def test_refuses_another_value(unwrap: Any, value: Any, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        unwrap(value, PLACE)
    assert str(caught.value) == f"a.mat, record 1, field x: {message}"
