"""Tests of PASCAL-50S; counts are those of shared/data/pascal50s/README.md."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db.models import Count, Sum

from studies.datasets.importing.records import SHIPPED
from studies.datasets.importing.results import StudyCounts
from studies.enums import TaskKind
from studies.models import Candidate, Item, Judgment, Rater, ReferenceChoice, ReferenceSet, Study
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.datasets.importing.cuts import write_triplets


def _expect(study: str, protocol: str, *, raters: int, judgments: int) -> StudyCounts:
    return StudyCounts(
        study=study,
        protocol=protocol,
        rows_read=4_000,
        images=1_000,
        references=50_000,
        candidates=8_000,
        items=4_000,
        raters=raters,
        judgments=judgments,
    )


def test_imports_both_whole_studies(run_import: Import, data_folder: Path) -> None:
    result = run_import("pascal-50s", source=data_folder / "pascal50s")

    assert result.studies == (
        _expect("pascal-50s", "pascal-50s@1", raters=1, judgments=4_000),
        _expect("pascal-50s-direct", "spice-u-pascal@1", raters=11, judgments=43_994),
    )
    direct = Item.objects.filter(task__study__name="pascal-50s-direct")
    assert Counter(direct.values_list("category", flat=True)) == dict.fromkeys(("HC", "HI", "HM", "MM"), 1_000)
    assert Counter(direct.annotate(votes=Count("judgments")).values_list("votes", flat=True)) == {11: 3_994, 10: 6}
    assert set(Judgment.objects.values_list("value", flat=True)) == {1.0, -1.0}
    assert ReferenceChoice.objects.count() == 40_000
    # The majority of the direct votes equals the consensus label for so many pairs of each category.
    label = dict(Item.objects.filter(task__study__name="pascal-50s").values_list("key", "judgments__value"))
    agreeing = [
        item.category for item in direct.annotate(votes=Sum("judgments__value")) if item.votes * label[item.key] > 0
    ]
    assert Counter(agreeing) == {"HC": 644, "HI": 997, "HM": 984, "MM": 814}


def test_writes_pairs_systems_and_shipped_references(run_import: Import, pascal50s: Path) -> None:
    run_import("pascal-50s", source=pascal50s, study="mine")

    studies = Study.objects.order_by("pk").values_list("name", "kind", "protocol")
    assert list(studies) == [
        ("mine", TaskKind.PAIRWISE, "pascal-50s@1"),
        ("mine-direct", TaskKind.PAIRWISE, "spice-u-pascal@1"),
    ]
    raters = Rater.objects.values_list("study__name", "pseudonym", "is_placeholder")
    assert list(raters) == [
        ("mine", "consensus-majority", True),
        *(("mine-direct", f"vote-{number}", True) for number in range(1, 12)),
    ]
    # The first pairs of pair_pascal.mat: writers 6,7 (HI) and 6,6 (HC).
    candidates = Candidate.objects.filter(key__lt="pair-0003").values_list("key", "system__name", "system__is_human")
    assert list(candidates) == [
        ("pair-0001-a", "human", True),
        ("pair-0001-b", "human-other", True),
        ("pair-0002-a", "human", True),
        ("pair-0002-b", "human", True),
    ]
    item = Item.objects.get(key="pair-0001", task__study__name="mine")
    assert (item.category, item.candidate.key, item.other_candidate.key) == ("HI", "pair-0001-a", "pair-0001-b")
    assert item.candidate.text == " A large, rusted white ship is docked in brown waters just offshore."
    assert (item.anchor, item.judgments.get().value) == (None, 1.0)
    choices = ReferenceChoice.objects.filter(reference_set=ReferenceSet.objects.get(name=SHIPPED))
    shipped = [
        list(choices.filter(candidate__key=f"pair-0002-{side}").values_list("reference__text", flat=True))
        for side in "ab"
    ]
    assert (
        shipped
        == [
            [
                "A closeup of the dual headlight of a blue vintage car.",
                "A older blue classic car in perfect condition",
                "The headlights of a antique blue car fill this photo.",
                "A blue car with big headlights.",
                "The headlights are surrounded by chrome.",
            ]
        ]
        * 2
    )


def test_imports_single_votes_where_a_user_has_them(run_import: Import, pascal50s: Path) -> None:
    write_triplets(pascal50s)

    result = run_import("pascal-50s", source=pascal50s)
    assert [(study.rows_read, study.raters, study.judgments) for study in result.studies] == [
        (288, 48, 288),
        (6, 11, 66),
    ]
    item = Item.objects.get(key="pair-0002", task__study__name="pascal-50s")
    votes = list(item.judgments.order_by("pk").values_list("rater__pseudonym", "value", "answer"))
    references = list(item.image.references.values_list("text", flat=True))
    assert item.anchor is None
    assert votes == [
        (f"vote-{number + 1}", 1.0 if number < 30 else -1.0, {"anchor": references[number]}) for number in range(48)
    ]


def test_reads_triplets_that_show_a_pair_the_other_way_round(run_import: Import, pascal50s: Path) -> None:
    def swap(rows: Any) -> None:
        first = rows[0]["B"]
        rows[0]["B"] = rows[0]["C"]
        rows[0]["C"] = first

    write_triplets(pascal50s, change=swap)

    run_import("pascal-50s", source=pascal50s)
    votes = Judgment.objects.filter(item__key="pair-0001", item__task__study__name="pascal-50s").order_by("pk")
    assert [vote.value for vote in votes[:2]] == [-1.0, 1.0]


def test_refuses_triplets_that_are_not_48_a_pair(refuse: Refuse, pascal50s: Path) -> None:
    write_triplets(pascal50s, votes_per_pair=47)

    assert refuse("pascal-50s", source=pascal50s) == (
        "consensus_pascal.mat, variable triplets: must have 48 records for each of the 6 pairs, got 282 records"
    )


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("rating", np.array([[2]]), "consensus_pascal.mat, record 50, field rating: must be 1 (B), -1 (C) or 0, got 2"),
        (
            "B",
            np.array(["Another caption."]),
            "consensus_pascal.mat, record 50: must show the two captions of pair 2 of pair_pascal.mat as B and C, "
            "got 'Another caption. | Close up of the headlights on a blue car.'",
        ),
        ("A", np.array([[1]]), "consensus_pascal.mat, record 50, field A: must be a text, got int64 of 1x1"),
    ],
)
def test_refuses_a_bad_triplet(refuse: Refuse, pascal50s: Path, field: str, value: Any, message: str) -> None:
    def change(rows: Any) -> None:
        rows[49][field] = value

    write_triplets(pascal50s, change=change)

    assert refuse("pascal-50s", source=pascal50s) == message
