"""Tests of columns: guesses from their names, and choices by hand."""

import pytest

from studies.datasets.drafts.columns import choose_columns, list_fields, read_choices, rename_columns
from studies.datasets.importing.files.table_files import Record, Table
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation


def _guess(columns, *, kind=TaskKind.RATING, chosen=None):
    uses = choose_columns(columns, kind=kind, chosen=chosen or {})
    return {use.field: use.column for use in uses if use.column}


@pytest.mark.parametrize("image", ["img", "image_id", "Image ID", "filename", "image"])
@pytest.mark.parametrize("caption", ["text", "Caption", "sentence", "candidate", "generated_caption"])
def test_common_names_are_guessed(image, caption) -> None:
    guessed = {"image": image, "candidate": caption, "system": "model"}

    assert _guess([image, caption, "model", "score"]) == guessed


def test_own_name_is_taken_before_others() -> None:
    assert _guess(["text", "candidate", "img", "image"]) == {"image": "image", "candidate": "candidate"}


def test_both_captions_of_a_pair_are_guessed() -> None:
    columns = ["image", "caption_a", "model_a", "caption_b", "model_b"]

    assert _guess(columns, kind=TaskKind.PAIRWISE) == {
        "image": "image",
        "candidate": "caption_a",
        "system": "model_a",
        "other_candidate": "caption_b",
        "other_system": "model_b",
    }


def test_choice_by_hand_is_kept_and_the_rest_guessed() -> None:
    columns = ["image", "text", "caption"]

    assert _guess(columns, chosen={"candidate": "caption", "image": ""}) == {"candidate": "caption"}


def test_choice_of_another_file_is_forgotten() -> None:
    assert _guess(["image", "text"], chosen={"image": "picture", "candidate": "image"}) == {
        "image": "image",
        "candidate": "text",
    }


def test_fields_of_pairs_are_for_pairs_only() -> None:
    assert "other_candidate" in list_fields(TaskKind.PAIRWISE)
    assert "other_candidate" not in list_fields(TaskKind.RATING)
    assert "candidate" not in list_fields(TaskKind.CAPTION)


def test_renamed_table_has_used_columns_only() -> None:
    table = Table("t.csv", ("img", "score", "text"), [Record(SourceLocation("t.csv"), {"img": "a", "text": "A dog."})])

    renamed = rename_columns(table, choose_columns(table.columns, kind=TaskKind.RATING, chosen={}))

    assert renamed.columns == ("image", "candidate")
    assert renamed.records[0].values == {"image": "a", "candidate": "A dog."}


@pytest.mark.parametrize(
    ("choices", "rule"),
    [
        (["text"], "must be FIELD=COLUMN"),
        (["nonsense=text"], "must be FIELD=COLUMN"),
        (["image=a", "image=b"], "may name each field once"),
        (["image=a", "system=a"], "may use each column of the file once"),
    ],
)
def test_choices_that_say_nothing_clear_are_refused(choices, rule) -> None:
    with pytest.raises(ImportFailed, match=rule):
        read_choices(choices)


def test_column_with_an_equals_sign_can_be_chosen() -> None:
    assert read_choices(["image=a=b", "system="]) == {"image": "a=b", "system": ""}
