"""References of a row or an item alone."""

from pathlib import Path

import pytest

from studies.models import Candidate, Reference, ReferenceChoice, Study
from tests.studies.datasets.importing.conftest import Import, Refuse

ROWS = """image,candidate,value,row_reference,r2
a,a dog,4,A dog.,One dog.
a,a dog,2,A cat.,
b,a cat,1,A cat.,A cat.
"""
PAIRS = """item,image,candidate,other_candidate,value,category
p1,a,one,two,1,HC
p1,a,two,one,1,HC
p2,a,one,two,-1,MM
"""
BY_ITEM = """item,side,set,reference
p1,candidate,,first
p1,candidate,,second
p1,other_candidate,,third
p2,,x,first
p2,,y,second
p2,,y,third
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def read_choices() -> dict[str, list[list[str]]]:
    """The alternatives of each candidate, by its key."""
    found: dict[str, dict[int, list[str]]] = {}
    rows = ReferenceChoice.objects.order_by("candidate", "alternative", "position")
    for key, alternative, text in rows.values_list("candidate__key", "alternative", "reference__text"):
        found.setdefault(key, {}).setdefault(alternative, []).append(text)
    return {key: list(alternatives.values()) for key, alternatives in found.items()}


def test_a_row_has_references_of_its_own(run_import: Import, tmp_path: Path) -> None:
    columns = ("row_reference=row_reference", "row_reference=r2")

    run_import("table", source=write(tmp_path / "t.csv", ROWS), column=columns, study="mine")

    # Equal captions with different references are two captions; of equal texts the second one is another reference.
    assert read_choices() == {
        "row-1": [["A dog.", "One dog."]],
        "row-2": [["A cat."]],
        "row-3": [["A cat.", "A cat."]],
    }
    references = Reference.objects.order_by("image", "position").values_list("image__key", "position", "text")
    assert list(references) == [
        ("a", 0, "A dog."),
        ("a", 1, "One dog."),
        ("a", 2, "A cat."),
        ("b", 0, "A cat."),
        ("b", 1, "A cat."),
    ]
    assert "|refs:set-shipped|" in Study.objects.get().protocol


def test_a_file_has_references_by_item(run_import: Import, tmp_path: Path) -> None:
    references = write(tmp_path / "refs.csv", BY_ITEM)

    run_import("table", source=write(tmp_path / "t.csv", PAIRS), references=(references,), protocol="fense")

    # The captions of p2 equal those of p1, and are other candidates.
    assert read_choices() == {
        "row-1": [["first", "second"]],
        "row-1-other": [["third"]],
        "row-3": [["first"], ["second", "third"]],
        "row-3-other": [["first"], ["second", "third"]],
    }
    assert Candidate.objects.count() == 4


def test_pairs_for_fense_get_its_references(run_import: Import, refuse: Refuse, tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.csv",
        "image,candidate,other_candidate,value,category,reference,r2,r3\na,one,two,1,HC,one,two,three\n",
    )
    columns = ("reference=reference", "reference=r2", "reference=r3")

    run_import("table", source=path, column=columns, protocol="fense")

    assert read_choices() == {
        "row-1": [["two", "three", "two", "three"]],
        "row-1-other": [["one", "three", "one", "three"]],
    }
    path.write_text(path.read_text().replace("HC", "X"))
    assert refuse("table", source=path, column=columns, protocol="fense", study="other") == (
        "t.csv, line 2, field category: must be one of HC, HI, HM, MM for fense@1, got 'X'"
    )


@pytest.mark.parametrize(
    ("table", "references", "message"),
    [
        (
            PAIRS.replace("p2", "p3"),
            BY_ITEM,
            "t.csv, line 4, field item: must be an item with references in refs.csv, ",
        ),
        (PAIRS, BY_ITEM.replace("p2,,x", "p2,left,x"), "refs.csv, line 5, field side: must be one of candidate, "),
        (PAIRS, "item,text\np1,x\n", "refs.csv: must have the columns item and reference (or several: "),
        (
            PAIRS.replace("p1,a,two", "p1,b,two"),
            BY_ITEM,
            "t.csv, line 3, field item: must be shown with the image, systems, captions, anchor and references of line",
        ),
        (
            PAIRS.replace("item,", "category_of,").replace(",category\n", ",item_of\n"),
            BY_ITEM,
            "--references: has references by item, and t.csv has no column item",
        ),
    ],
)
def test_refuses_a_bad_file(refuse: Refuse, tmp_path: Path, table: str, references: str, message: str) -> None:
    source, beside = write(tmp_path / "t.csv", table), write(tmp_path / "refs.csv", references)

    assert refuse("table", source=source, references=(beside,), ignore_columns=True).startswith(message)


def test_refuses_a_protocol_that_needs_references_of_rows(refuse: Refuse, tmp_path: Path) -> None:
    source = write(tmp_path / "t.csv", "image,candidate,other_candidate,value\na,one,two,1\n")

    assert refuse("table", source=source, protocol="pascal-50s") == (
        "--protocol: takes references of each row (the field row_reference, or --references by item), and there are "
        "none, got 'pascal-50s'"
    )
