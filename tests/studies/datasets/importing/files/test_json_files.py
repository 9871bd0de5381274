"""Tests of JSON that is truncated, malformed or of another structure."""

from collections.abc import Callable
from typing import Any

import pytest

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile

PLACE = SourceLocation("a.json", "record 2")


def test_reads_json() -> None:
    assert read_json(SourceFile("a.json", '{"a": ["é\u2028"]}'.encode())) == {"a": ["é\u2028"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[{"a": 1},\n {"b"', "a.json, line 2, column 6: the JSON is truncated"),
        (b'[{"a": "on', "a.json, line 1, column 8: the JSON is truncated"),
        (b"", "a.json, line 1, column 1: the JSON is truncated"),
        (b"[1 2]", "a.json, line 1, column 4: must be JSON: Expecting ',' delimiter, got '2]'"),
        (b"[NaN]", "a.json: must be JSON: NaN is not a JSON number"),
        (b"[" * 100_000, "a.json: must be JSON that is not nested thousands of levels deep"),
        (b'["\xff"]', "a.json, line 1: must be valid UTF-8, got the byte 0xff"),
    ],
    ids=["cut", "cut in a text", "empty", "comma", "NaN", "deep", "UTF-8"],
)
def test_refuses_bad_json(content: bytes, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        read_json(SourceFile("a.json", content))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            lambda: check_object([], PLACE, fields=("a", "b")),
            "a.json, record 2: must be an object with a, b, got a list",
        ),
        (
            lambda: check_object({"b": 1, "c": 2}, PLACE, fields=("a",)),
            "a.json, record 2, field a: is missing, got only b, c",
        ),
        (lambda: check_list({}, PLACE), "a.json, record 2: must be a list, got an object"),
        (lambda: check_list(None, PLACE), "a.json, record 2: must be a list, got null"),
    ],
)
def test_refuses_another_shape(check: Callable[[], Any], message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        check()
    assert str(caught.value) == message
