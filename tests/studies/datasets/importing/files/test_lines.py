"""Tests of tab-separated lines."""

import pytest

from studies.datasets.importing.files.lines import SourceLine, read_lines
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile


def test_only_a_line_feed_ends_a_line() -> None:
    file = SourceFile("a.txt", "x\ta\rb\x0b\u2028c\ny\t\r\n".encode())

    assert list(read_lines(file, columns=("id", "text"))) == [
        SourceLine("a.txt", 1, ("x", "a\rb\x0b\u2028c")),
        SourceLine("a.txt", 2, ("y", "")),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.txt: holds no lines"),
        (b"a\tb\nc", "a.txt, line 2: is truncated: the last line must end with a line break, got 'c'"),
        (b"a\tb\tc\n", "a.txt, line 1: must have 2 columns separated by tabs (id, text), got 3"),
    ],
)
def test_refuses_bad_lines(content: bytes, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        list(read_lines(SourceFile("a.txt", content), columns=("id", "text")))
    assert str(caught.value) == message
