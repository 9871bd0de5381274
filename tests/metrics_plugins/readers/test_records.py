"""Tests of the rules for records, and of values in messages."""

import pytest

from metrics_plugins.readers.records import CaptionRecord, make_record, shorten


@pytest.mark.parametrize(("image_id", "text"), [(7, "7"), ("7", "7"), ("a b", "a b"), (-1, "-1"), (2**70, str(2**70))])
def test_image_ids_are_kept_as_text(image_id: object, text: str) -> None:
    fields = {"image_id": image_id, "caption": " é ", "other": None}

    assert make_record(fields, number=3, where="x") == CaptionRecord(image_id=text, caption=" é ", number=3)


@pytest.mark.parametrize(
    ("value", "text"), [(None, "null"), ("a", "'a'"), (1.5, "1.5"), ("a" * 99, "'" + "a" * 56 + "...")]
)
def test_values_print_short(value: object, text: str) -> None:
    assert shorten(value) == text
