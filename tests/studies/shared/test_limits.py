"""Tests that decompressed data are counted while they are read."""

from io import BytesIO

import pytest

from studies.shared.errors import ImportFailed
from studies.shared.limits import FileLimits, read_limited

SMALL = FileLimits(n_bytes=3 << 20, ratio=10, ratio_floor=1 << 20)


def test_reads_up_to_the_limit() -> None:
    content = bytes(3 << 20)

    assert read_limited(BytesIO(content), n_packed=1 << 20, name="x", limits=SMALL) == content


@pytest.mark.parametrize(
    ("n_bytes", "n_packed", "message"),
    [
        ((3 << 20) + 1, 1 << 20, "x: may hold at most 3,145,728 bytes decompressed, got 3,145,729 or more"),
        (
            2 << 20,
            1_000,
            "x: may decompress to at most 10 times its size (1,000 bytes), got 2,097,152 bytes or more",
        ),
    ],
    ids=["size", "ratio"],
)
def test_stops_early(n_bytes: int, n_packed: int, message: str) -> None:
    stream = BytesIO(bytes(n_bytes) + bytes(8 << 20))
    stream.truncate(n_bytes)

    with pytest.raises(ImportFailed) as caught:
        read_limited(stream, n_packed=n_packed, name="x", limits=SMALL)
    assert str(caught.value) == message
