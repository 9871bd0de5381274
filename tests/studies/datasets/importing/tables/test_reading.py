"""Tests of tables of judgments in three file formats."""

import json
from pathlib import Path
from typing import Any

import pytest

from studies.datasets.importing.results import StudyCounts
from studies.design.protocols import STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Candidate, Item, Judgment, Rater, Reference, Study
from tests.studies.datasets.importing.conftest import Import, Refuse

ROWS = [
    {"IMG": "a.jpg", "TEXT": "a dog", "RATING": 4, "WHO": "p-81", "MODEL": "m1", "r1": "A dog.", "r2": "One dog."},
    {"IMG": "a.jpg", "TEXT": "a dog", "RATING": 2, "WHO": "p-17", "MODEL": "m1", "r1": "A dog.", "r2": "One dog."},
    {"IMG": "b.jpg", "TEXT": "a\u2028cat", "RATING": 1, "WHO": "p-81", "MODEL": "m2", "r1": "A cat.", "r2": None},
]
COLUMNS = ("image=IMG", "candidate=TEXT", "value=RATING")
PLAIN: dict[str, Any] = {"column": COLUMNS, "ignore_columns": True}
ALL_COLUMNS = (*COLUMNS, "rater=WHO", "system=MODEL", "reference=r1", "reference=r2")
HINT = "items that look the same need an id each, in the column item"
PAIRS = (
    "image,candidate,other_candidate,value,rater,category\na,one,two,1,x,HC\na,one,two,-1,y,HC\na,two,three,0,x,MM\n"
)


def write_table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write the rows in the format that the file's name tells."""
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        lines = [list(rows[0]), *(["" if cell is None else str(cell) for cell in row.values()] for row in rows)]
        path.write_text("".join(",".join(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_imports_ratings(run_import: Import, tmp_path: Path, ending: str) -> None:
    path = write_table(tmp_path / f"my ratings.{ending}", ROWS)

    result = run_import("table", source=path, column=ALL_COLUMNS, scale="1-4")
    assert result.studies == (
        StudyCounts(
            "my-ratings",
            STARTING_PROTOCOLS[TaskKind.RATING],
            3,
            images=2,
            references=3,
            candidates=2,
            items=2,
            raters=2,
            judgments=3,
        ),
    )
    judgments = Judgment.objects.values_list("item__key", "item__candidate__text", "rater__pseudonym", "value")
    assert list(judgments) == [
        ("row-1", "a dog", "rater-1", 4.0),
        ("row-1", "a dog", "rater-2", 2.0),
        ("row-3", "a\u2028cat", "rater-1", 1.0),
    ]
    assert list(Candidate.objects.values_list("system__name", "image__key")) == [("m1", "a.jpg"), ("m2", "b.jpg")]
    references = Reference.objects.values_list("image__key", "position", "text")
    assert list(references) == [("a.jpg", 0, "A dog."), ("a.jpg", 1, "One dog."), ("b.jpg", 0, "A cat.")]
    study = Study.objects.get()
    assert study.kind == TaskKind.RATING
    assert [point["value"] for point in study.versions.get().design["scale"]] == [1, 2, 3, 4]


def test_counts_of_one_are_printed_in_the_singular(run_import: Import, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("image,candidate,value,rater\na,A dog.,3,x\n")

    printed = str(run_import("table", source=path))

    assert printed.partition("): ")[2] == (
        "1 row read; 1 image, 0 references, 1 candidate, 1 item, 1 rater, 1 judgment"
    )


def test_raters_are_optional(run_import: Import, tmp_path: Path) -> None:
    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), **PLAIN)

    raters = Rater.objects.values_list("pseudonym", "is_placeholder")
    assert list(raters) == [("vote-1", True), ("vote-2", True)]
    assert list(Candidate.objects.values_list("system__name", flat=True)) == ["unknown", "unknown"]


def test_no_participant_id_gets_in(run_import: Import, tmp_path: Path) -> None:
    run_import("table", source=write_table(tmp_path / "t.csv", ROWS), column=ALL_COLUMNS)

    raters = Rater.objects.values_list("pseudonym", "identity_hash", "is_placeholder")
    assert list(raters) == [("rater-1", "", False), ("rater-2", "", False)]


def test_imports_pairs(run_import: Import, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)

    run_import("table", source=path, study="mine", protocol="spice-u-pascal")
    study = Study.objects.get()
    assert (study.name, study.kind, study.protocol) == ("mine", TaskKind.PAIRWISE, "spice-u-pascal@1")
    assert study.versions.get().design["allows_no_preference"] is True
    items = Item.objects.values_list("category", "candidate__text", "other_candidate__text", "judgments__value")
    assert list(items.order_by("judgments__pk")) == [
        ("HC", "one", "two", 1.0),
        ("HC", "one", "two", -1.0),
        ("MM", "two", "three", 0.0),
    ]
    assert list(Candidate.objects.values_list("key", "text")) == [
        ("row-1", "one"),
        ("row-1-other", "two"),
        ("row-3-other", "three"),
    ]


def test_a_pair_shown_the_other_way_round_is_the_same_item(run_import: Import, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "image,candidate,other_candidate,value,rater\n"
        "a,one,two,1,x\na,two,one,1,y\na,two,one,0,z\nb,two,one,1,x\nb,one,one,1,x\n"
    )

    run_import("table", source=path)

    judgments = Judgment.objects.order_by("item__pk", "rater__pk")
    assert [(each.item.key, each.rater.pseudonym, str(each.value)) for each in judgments] == [
        ("row-1", "rater-1", "1.0"),
        ("row-1", "rater-2", "-1.0"),
        ("row-1", "rater-3", "0.0"),
        ("row-4", "rater-1", "1.0"),
        ("row-5", "rater-1", "1.0"),
    ]


def test_pairs_that_differ_by_their_anchor_alone_are_two_items(run_import: Import, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "image,candidate,other_candidate,value,rater,anchor\n"
        "a,one,two,1,x,first\na,one,two,-1,x,second\na,two,one,1,y,second\na,one,two,0,x,\n"
    )

    run_import("table", source=path)

    judgments = Judgment.objects.order_by("pk").values_list("item__key", "item__anchor__text", "rater__pseudonym")
    assert list(judgments) == [
        ("row-1", "first", "rater-1"),
        ("row-2", "second", "rater-1"),
        ("row-2", "second", "rater-2"),
        ("row-4", None, "rater-1"),
    ]
    assert list(Judgment.objects.order_by("pk").values_list("value", flat=True)) == [1.0, -1.0, -1.0, 0.0]
    # Nothing else is known of the image than what raters judged by.
    assert list(Reference.objects.values_list("image__key", "position", "text")) == [
        ("a", 0, "first"),
        ("a", 1, "second"),
    ]


def test_anchor_is_one_of_the_references_that_an_image_has(run_import: Import, refuse: Refuse, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    rows = "image,candidate,other_candidate,value,anchor,reference\na,one,two,1,{},second\n"
    path.write_text(rows.format("first"))

    message = refuse("table", source=path)
    path.write_text(rows.format("second"))
    run_import("table", source=path)

    assert message == "pairs.csv, line 2, field anchor: must be one of the 1 references of image a, got 'first'"
    assert Item.objects.get().anchor == Reference.objects.get()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"RATING": 5}, "t.csv, line 4, field RATING: must be one of 1, 2, 3, 4, got '5'"),
        ({"RATING": "good"}, "t.csv, line 4, field RATING: must be a number, got 'good'"),
        ({"RATING": None}, "t.csv, line 4, field RATING: must not be empty"),
        ({"IMG": None}, "t.csv, line 4, field IMG: must not be empty"),
        ({"TEXT": None}, "t.csv, line 4, field TEXT: must not be empty"),
        ({"WHO": "x" * 1_001}, f"t.csv, line 4, field WHO: may have at most 1000 characters, got 1001: {'x' * 40}..."),
        (ROWS[1], "t.csv, line 4: is a second judgment of the item and rater of line 3; " + HINT),
        (
            {"IMG": "a.jpg"},
            "t.csv, line 4, field reference: must have the references that line 2 has for the same image; references "
            "of a row alone go into the field row_reference, got 'a.jpg'",
        ),
    ],
    ids=["off the scale", "word", "no value", "no image", "no text", "long", "duplicate", "references"],
)
def test_refuses_a_bad_row(refuse: Refuse, tmp_path: Path, row: dict[str, Any], message: str) -> None:
    path = write_table(tmp_path / "t.csv", [*ROWS[:2], {**ROWS[2], **row}])

    assert refuse("table", source=path, column=ALL_COLUMNS, scale="1-4") == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("three,0", "three,2", "t.csv, line 4, field value: must be one of -1, 0, 1, got '2'"),
        (
            "-1,y,HC",
            "-1,y,HI",
            "t.csv, line 3, field category: must be the category that line 2 gives the same item ('HC'), got 'HI'",
        ),
        ("two,three,", "two,,", "t.csv, line 4, field other_candidate: must not be empty"),
        ("-1,y,HC", "-1,x,HC", "t.csv, line 3: is a second judgment of the item and rater of line 2; " + HINT),
    ],
)
def test_refuses_a_bad_pair(refuse: Refuse, tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(PAIRS.replace(old, new))

    assert refuse("table", source=path) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "1-5"}, "--scale: is for ratings, and this table has pairs (other_candidate)"),
        ({"protocol": "flickr8k-cf"}, "--protocol: must be a protocol for pairs, got 'flickr8k-cf'"),
        ({"study": "my study"}, "--study: must be 1 to 90 letters, digits, hyphens and underscores, got 'my study'"),
    ],
)
def test_refuses_options_that_do_not_fit(refuse: Refuse, tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(PAIRS)

    assert refuse("table", source=path, **options) == message


def test_lists_protocols(refuse: Refuse, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(PAIRS)

    message = refuse("table", source=path, protocol="mine")
    assert message.startswith("--protocol: unknown protocol 'mine'; known are: flickr8k-expert@1, ")
