"""Tests of the conversion of caption files to rows."""

from pathlib import Path

import pytest

from metrics_plugins.cli.inputs import read_inputs
from metrics_plugins.readers import InputError
from tests.metrics_plugins.cli.running import write_captions


def test_candidates_are_rows_in_file_order_with_references_of_their_image(tmp_path: Path) -> None:
    candidates = write_captions(tmp_path / "c.json", (2, "c1"), ("1", "c2"), (2, "c3"))
    references = write_captions(tmp_path / "r.json", (1, "r1"), (2, "r2"), (9, "unused"), (1, "r3"))

    captions = read_inputs(candidates, references=references)
    segments, sets = captions.make_segments(), captions.make_sets()

    assert segments.keys == ("2", "1", "2")
    assert list(segments.candidates) == ["c1", "c2", "c3"]
    assert list(segments.references) == [("r2",), ("r1", "r3"), ("r2",)]
    assert segments.derive_texts("texts", tuple) == ("c1", "c2", "c3", "r2", "r1", "r3")
    assert sets.keys == ("2", "1")
    assert list(sets.caption_sets) == [("c1", "c3"), ("c2",)]
    assert list(sets.references) == [("r2",), ("r1", "r3")]
    assert captions.first_rows == [0, 1]


def test_references_may_be_left_out(tmp_path: Path) -> None:
    captions = read_inputs(write_captions(tmp_path / "c.json", (2, "c1")), references=None)

    assert captions.make_segments().available_inputs == {"candidate"}
    assert captions.make_sets().available_inputs == {"caption_set"}


def test_image_without_references_is_named(tmp_path: Path) -> None:
    candidates = write_captions(tmp_path / "c.json", (2, "c1"), (3, "c2"))
    references = tmp_path / "r.json"
    references.write_text(
        '{"images": [{"id": 2}, {"id": 3}], "annotations": [{"id": 1, "image_id": 2, "caption": "r"}]}'
    )

    with pytest.raises(InputError) as raised:
        read_inputs(candidates, references=references)

    assert str(raised.value) == f"{candidates}: record 2: field 'image_id': image 3 has no references in {references}"


def test_unknown_image_is_named(tmp_path: Path) -> None:
    candidates = write_captions(tmp_path / "c.json", (2, "c1"), (3, "c2"))
    references = tmp_path / "r.json"
    references.write_text('{"images": [{"id": 2}], "annotations": [{"id": 1, "image_id": 2, "caption": "r"}]}')

    with pytest.raises(InputError) as raised:
        read_inputs(candidates, references=references)

    assert str(raised.value) == (
        f"{candidates}: record 2: field 'image_id': image 3 is unknown: {references} does not list it"
    )
