"""Tests of the content types of files that are sent."""

import pytest

from studies.shared.content_types import send_file, send_lines


def test_a_file_has_the_content_type_of_its_ending():
    assert send_file(b"", file_name="report.md").headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert send_lines([], file_name="scores.csv").headers["Content-Type"] == "text/csv; charset=utf-8"


def test_an_unknown_ending_needs_a_content_type():
    with pytest.raises(KeyError):
        send_file(b"", file_name="scores.parquet")
    with pytest.raises(KeyError):
        send_lines([], file_name="scores.parquet")

    sent = send_lines([], file_name="scores.parquet", content_type="application/octet-stream")
    assert sent.headers["Content-Type"] == "application/octet-stream"
