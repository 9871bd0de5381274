"""Items of their own, criteria, and systems without captions."""

from pathlib import Path

import pytest

from studies.models import Candidate, Item, Judgment, Run, ScoreChunk, Study
from tests.studies.datasets.importing.conftest import Import, Refuse

LONG = """image,candidate,rater,criterion,value
a,a dog,x,P,4
a,a dog,x,R,2
a,a dog,y,P,5
b,a cat,x,P,1
"""
WIDE = """image,candidate,rater,P,R
a,a dog,x,4,2
a,a dog,y,5,
b,a cat,x,1,
"""
ALIKE = "image,candidate,other_candidate,value{}\na,one,two,1{}\na,one,two,-1{}\na,two,one,1{}\nb,one,two,1{}\n"
SYSTEMS = """system,M1,M2,CIDEr
human,.6,.7,
one,.3,.4,.9
two,.2,.3,.8
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "columns"), [(LONG, ()), (WIDE, ("value=P", "value=R"))], ids=["a row each", "a column each"]
)
def test_criteria_are_items_of_one_caption(
    run_import: Import, tmp_path: Path, text: str, columns: tuple[str, ...]
) -> None:
    run_import("table", source=write(tmp_path / "t.csv", text), column=columns)

    judgments = Judgment.objects.values_list("item__key", "item__category", "rater__pseudonym", "value")
    assert sorted(judgments) == [
        ("row-1:P", "P", "rater-1", 4.0),
        ("row-1:P", "P", "rater-2", 5.0),
        (f"row-{1 if columns else 2}:R", "R", "rater-1", 2.0),
        (f"row-{3 if columns else 4}:P", "P", "rater-1", 1.0),
    ]
    assert Candidate.objects.count() == 2
    assert Study.objects.get().protocol.endswith("|crit:P+R")


def test_equal_pairs_without_raters_are_warned_of(run_import: Import, tmp_path: Path) -> None:
    found = run_import("table", source=write(tmp_path / "t.csv", ALIKE.format("", "", "", "", "")))

    assert found.studies[0].items == 2
    assert found.notes == (
        "warning: 2 rows without a rater were taken as further votes on 1 item of the same image, system and caption; "
        "items that look the same need an id each, in the column item",
    )
    assert f"note: {found.notes[0]}" in str(found)


def test_equal_pairs_with_ids_stay_apart(run_import: Import, tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", ALIKE.format(",item", ",p", ",q", ",p", ",r"))

    found = run_import("table", source=path)

    # The second row of p shows its captions the other way round.
    judgments = Judgment.objects.order_by("item__pk", "pk").values_list("item__key", "value")
    assert list(judgments) == [("p", 1.0), ("p", -1.0), ("q", -1.0), ("r", 1.0)]
    assert found.notes == ()


def test_a_table_of_systems_brings_judgments_and_scores(run_import: Import, tmp_path: Path) -> None:
    source = write(tmp_path / "t.csv", SYSTEMS)

    run_import("table", source=source, column=("value=M1", "value=M2", "metric_score=CIDEr"))

    items = Item.objects.order_by("pk").values_list("candidate__system__name", "category", "judgments__value")
    assert list(items) == [
        ("human", "M1", 0.6),
        ("human", "M2", 0.7),
        ("one", "M1", 0.3),
        ("one", "M2", 0.4),
        ("two", "M1", 0.2),
        ("two", "M2", 0.3),
    ]
    assert Study.objects.get().protocol == (
        "custom@1|rows:all|refs:all|ratings:mean|level:system|coef:pearson|crit:M1+M2"
    )
    run = Run.objects.get()
    assert (run.metric, run.plugin, run.n_rows, run.higher_is_better) == ("external:CIDEr", "external", 3, True)
    assert ScoreChunk.objects.get().run == run


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            SYSTEMS.replace(",M2", ",m2"),
            {"protocol": "coco-2015", "column": ("value=M1", "metric_score=CIDEr"), "ignore_columns": True},
            "--protocol: needs judgments on M1, M2, M3, M4, M5 (one column each, or a column criterion), "
            "got 'coco-2015'",
        ),
        (
            "system,value,metric_score\none,1,.5\none,2,.6\n",
            {},
            "t.csv, line 3, field metric_score: must be the score that line 2 gives the same caption (0.5), got '0.6'",
        ),
        ("system,value\n,1\n", {}, "t.csv, line 2, field system: must not be empty"),
        (WIDE.replace("1,", ","), {"column": ("value=P", "value=R")}, "t.csv, line 4, field P: must not be empty"),
    ],
)
def test_refuses(refuse: Refuse, tmp_path: Path, text: str, options: dict[str, object], message: str) -> None:
    assert refuse("table", source=write(tmp_path / "t.csv", text), **options) == message
