"""Tests of columns that are recognised by their names."""

import pytest

from studies.datasets.importing.files.column_names import guess_columns


@pytest.mark.parametrize("image", ["img", "image_id", "Image ID", "filename", "image"])
@pytest.mark.parametrize("caption", ["text", "Caption", "sentence", "candidate", "generated_caption"])
def test_common_names_are_recognised(image, caption) -> None:
    found = guess_columns([image, caption, "model", "more"], fields=["image", "system", "candidate"])

    assert found == {"image": image, "system": "model", "candidate": caption}


def test_columns_of_judgments_are_recognised() -> None:
    found = guess_columns(["annotator", "human_score", "aspect"], fields=["value", "rater", "criterion"])

    assert found == {"value": "human_score", "rater": "annotator", "criterion": "aspect"}


def test_no_column_is_used_twice() -> None:
    assert guess_columns(["text"], fields=["candidate", "other_candidate"]) == {"candidate": "text"}


def test_first_of_two_columns_that_look_the_same_is_taken() -> None:
    assert guess_columns(["Image", "image"], fields=["image"]) == {"image": "Image"}
