"""Tests of references in a separate file."""

import json
from pathlib import Path

import pytest

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.tables.references import collect_references
from studies.models import Reference
from studies.shared.errors import ImportFailed, SourceLocation
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.datasets.importing.tables.test_reading import COLUMNS, PLAIN, ROWS, write_table

CAPTIONS = [
    {"image": "a.jpg", "caption": "A dog."},
    {"image": "b.jpg", "caption": "A cat."},
    {"image": "a.jpg", "caption": "One dog."},
    {"image": "c.jpg", "caption": "Not needed."},
]
EXPECTED = [("a.jpg", "A dog."), ("a.jpg", "One dog."), ("b.jpg", "A cat.")]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_reads_image_and_caption_columns(run_import: Import, tmp_path: Path, ending: str) -> None:
    references = write_table(tmp_path / f"refs.{ending}", CAPTIONS)

    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), references=(references,), **PLAIN)
    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED


def test_reads_coco_annotations(run_import: Import, tmp_path: Path) -> None:
    references = tmp_path / "refs.json"
    images = [{"id": row["image"]} for row in CAPTIONS]
    annotations = [{"image_id": row["image"], "caption": row["caption"]} for row in CAPTIONS]
    references.write_text(json.dumps({"images": images, "annotations": annotations}))

    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), references=(references,), **PLAIN)
    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED


@pytest.mark.parametrize("first", ['{"images": [', '{\n"images": ['])
def test_reads_coco_annotations_with_a_record_in_each_line(run_import: Import, tmp_path: Path, first: str) -> None:
    references = tmp_path / "refs.json"
    images = ",\n".join(json.dumps({"id": row["image"]}) for row in CAPTIONS)
    annotations = ",\n".join(json.dumps({"image_id": row["image"], "caption": row["caption"]}) for row in CAPTIONS)
    references.write_text(f'{first}\n{images}],\n"annotations": [\n{annotations}]}}\n')

    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), references=(references,), **PLAIN)
    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED


def test_reads_an_image_from_the_first_file_that_has_it(run_import: Import, tmp_path: Path) -> None:
    first = write_table(tmp_path / "first.csv", CAPTIONS)
    again = tmp_path / "again.txt"
    again.write_text("a#0\tA dog.\nb#0\tA cat.\n")

    found = run_import("table", source=write_table(tmp_path / "t.csv", ROWS), references=(first, again), **PLAIN)

    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED
    assert "again.txt: 2 images were skipped, because an earlier file has their references" in found.notes


@pytest.mark.parametrize(
    "cell", ['["A dog.", null, "One dog."]', "['A dog.', nan, 'One dog.']", "['A dog.', None, 'One dog.']"]
)
def test_missing_texts_of_a_written_list_are_left_out(run_import: Import, tmp_path: Path, cell: str) -> None:
    rows = [{**row, "reference": cell if row["IMG"] == "a.jpg" else "[A] cat [B]"} for row in ROWS]

    run_import("table", source=write_table(tmp_path / "t.jsonl", rows), **PLAIN)
    assert list(Reference.objects.values_list("text", flat=True)) == ["A dog.", "One dog.", "[A] cat [B]"]


@pytest.mark.parametrize("cell", ["['A dog.', 1]", "['A dog.', other]"])
def test_refuses_a_written_list_of_anything_else(refuse: Refuse, tmp_path: Path, cell: str) -> None:
    rows = [{**row, "reference": cell} for row in ROWS]

    assert refuse("table", source=write_table(tmp_path / "t.jsonl", rows), **PLAIN) == (
        f't.jsonl, line 1, field reference: must be a list of texts with commas between them, got "{cell}"'
    )


def test_reads_lines_of_flickr8k(run_import: Import, tmp_path: Path) -> None:
    references = tmp_path / "Flickr8k.token.txt"
    references.write_text("a.jpg#1\tOne dog.\nb.jpg#0\tA cat.\na.jpg#0\tA dog.\nc.jpg#0\tNot needed.\n")

    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), references=(references,), **PLAIN)
    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED


def test_reads_a_column_of_lists(run_import: Import, tmp_path: Path) -> None:
    own = {"a.jpg": ["A dog.", "One dog."], "b.jpg": ["A cat."]}
    rows = [{**row, "reference": own[row["IMG"]]} for row in ROWS]

    run_import("table", source=write_table(tmp_path / "t.parquet", rows), **PLAIN)
    assert list(Reference.objects.values_list("image__key", "text")) == EXPECTED


def test_refuses_an_image_without_captions(refuse: Refuse, tmp_path: Path) -> None:
    references = write_table(tmp_path / "refs.csv", CAPTIONS[:1])
    table = write_table(tmp_path / "t.csv", ROWS)

    assert refuse("table", source=table, references=(references,), **PLAIN) == (
        "t.csv, line 4, field IMG: must be an image with captions in refs.csv, got b.jpg"
    )


def test_refuses_references_from_two_sides(refuse: Refuse, tmp_path: Path) -> None:
    references = write_table(tmp_path / "refs.csv", CAPTIONS)
    table = write_table(tmp_path / "t.csv", ROWS)

    assert refuse(
        "table", source=table, column=(*COLUMNS, "reference=r1"), references=(references,), ignore_columns=True
    ) == ("--references: cannot be given together with columns of references")


def test_refuses_a_file_without_captions(refuse: Refuse, tmp_path: Path) -> None:
    references = write_table(tmp_path / "refs.csv", [{"image": "a.jpg", "words": "A dog."}])
    table = write_table(tmp_path / "t.csv", ROWS)

    assert refuse("table", source=table, references=(references,), **PLAIN) == (
        "refs.csv: must have the columns image and reference (or several: reference_1, reference_2), got image, words"
    )


@pytest.mark.parametrize(
    ("columns", "row", "expected"),
    [
        (("image", "reference"), {"image": "a", "reference": "One."}, {"a": ["One."]}),
        # A caption beside a reference is something else, such as what was judged.
        (("image", "reference", "caption"), {"image": "a", "reference": "One.", "caption": "No."}, {"a": ["One."]}),
        (
            ("image", "reference_2", "reference", "reference1"),
            {"image": 7, "reference": "One.", "reference1": None, "reference_2": "Two."},
            {"7": ["Two.", "One."]},
        ),
        (
            ("image", "caption_1", "caption_2"),
            {"image": "a", "caption_1": "One.", "caption_2": "Two."},
            {"a": ["One.", "Two."]},
        ),
        (("image", "reference"), {"image": "a", "reference": ["One.", None, "Two."]}, {"a": ["One.", "Two."]}),
        (("image", "references"), {"image": "a", "references": ["One.", "Two."]}, {"a": ["One.", "Two."]}),
    ],
)
def test_a_row_may_have_several_references(columns, row, expected) -> None:
    refused: list[ImportFailed] = []

    found = collect_references(Table("refs", columns, [Record(SourceLocation("refs", "line 2"), row)]), refused=refused)

    assert (found, refused) == (expected, [])


def test_every_row_that_is_wrong_is_told() -> None:
    rows = [{"image": "a", "reference": "One."}, {"image": None, "reference": "x"}, {"image": "a", "reference": None}]
    rows += [{"image": "b", "reference": 3}, {"image": "a", "reference": "Two."}]
    records = [Record(SourceLocation("refs", f"line {number}"), row) for number, row in enumerate(rows, start=2)]
    refused: list[ImportFailed] = []

    found = collect_references(Table("refs", ("image", "reference"), records), refused=refused)

    assert found == {"a": ["One.", "Two."]}
    assert [str(error) for error in refused] == [
        "refs, line 3, field image: must not be empty",
        "refs, line 4, field reference: must not be empty",
        "refs, line 5, field reference: must be text, got 3",
    ]
