"""Tests that imports are written in one transaction."""

import pytest
from django.db import IntegrityError

from studies.datasets.importing.records import (
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    StudyRecord,
    SystemRecord,
)
from studies.datasets.importing.writing import write_dataset
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.models import Item, Judgment
from tests.studies.datasets.importing.conftest import NOW, count_rows


def make_record(*, n_items: int = 1, twice: bool = False) -> DatasetRecord:
    judgments = (JudgmentRecord("expert-1", 2.0, {"anchor": "x"}),) * (2 if twice else 1)
    candidates = [CandidateRecord(f"row-{number}", "a", "m", "text") for number in range(n_items)]
    items = [ItemRecord(candidate.key, "a", candidate.key, judgments=judgments) for candidate in candidates]
    study = StudyRecord(
        "mine", "Mine", TaskKind.RATING, "custom@1", StudyDesign(), ("expert-1",), False, items, rows_read=n_items
    )
    return DatasetRecord("mine", "Mine", "", "", {"a": ["one"]}, [SystemRecord("m")], candidates, [study])


def test_a_late_failure_leaves_nothing(db: None) -> None:
    with pytest.raises(IntegrityError):
        write_dataset(make_record(twice=True), now=NOW)

    assert count_rows() == 0


@pytest.mark.parametrize("n_items", [1, 4_001])
def test_keeps_order_over_batches(db: None, n_items: int) -> None:
    write_dataset(make_record(n_items=n_items), now=NOW)

    items = Item.objects.order_by("task__position").values_list("key", "candidate__key")
    assert list(items) == [(f"row-{number}", f"row-{number}") for number in range(n_items)]
    judgment = Judgment.objects.order_by("pk").first()
    assert (judgment.item.key, judgment.answer, judgment.created_at) == ("row-0", {"anchor": "x"}, NOW)


def test_tracks_every_batch(db: None) -> None:
    seen: list[str] = []

    def track(steps, *, label):
        for step in steps:
            seen.append(label)
            yield step

    write_dataset(make_record(n_items=2_001), now=NOW, track=track)
    assert seen.count("judgments") == 2
    assert seen[:3] == ["images", "references", "systems"]
