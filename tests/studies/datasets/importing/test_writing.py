"""Tests that imports are written in one transaction."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

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
from studies.enums import TaskKind, TaskRole
from studies.models import Candidate, Item, Judgment, Reference, Task
from tests.row_counts import count_rows
from tests.studies.datasets.importing.conftest import NOW


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

    assert set(count_rows().values()) == {0}


@pytest.mark.parametrize("n_items", [1, 4_001])
def test_keeps_order_over_batches(db: None, n_items: int) -> None:
    write_dataset(make_record(n_items=n_items), now=NOW)

    items = Item.objects.order_by("task__position").values_list("key", "candidate__key")
    assert list(items) == [(f"row-{number}", f"row-{number}") for number in range(n_items)]
    judgment = Judgment.objects.order_by("pk").first()
    assert (judgment.item.key, judgment.answer, judgment.created_at) == ("row-0", {"anchor": "x"}, NOW)


def test_each_item_has_its_own_judgments_over_batches(db: None) -> None:
    record = make_record(n_items=2_003)
    (study,) = record.studies
    items = [
        replace(item, judgments=(JudgmentRecord("expert-1", float(number), {"row": number}),))
        for number, item in enumerate(study.items)
    ]

    write_dataset(replace(record, studies=[replace(study, items=items)]), now=NOW)

    stored = Judgment.objects.order_by("pk").values_list("item__key", "value", "answer", "item__task__role")
    assert list(stored) == [(f"row-{number}", float(number), {"row": number}, TaskRole.MAIN) for number in range(2_003)]


def test_large_tables_are_copied_into_postgresql(db: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        write_dataset(make_record(n_items=3), now=NOW)

    copied = {model for model in (Reference, Candidate, Task, Item, Judgment) if not _is_inserted(model, captured)}
    assert copied == ({Reference, Candidate, Task, Item, Judgment} if connection.vendor == "postgresql" else set())


def _is_inserted(model: type[Model], captured: CaptureQueriesContext) -> bool:
    return any(f'INSERT INTO "{model._meta.db_table}"' in query["sql"] for query in captured.captured_queries)


def test_tracks_every_batch(db: None) -> None:
    seen: list[str] = []

    def track(steps, *, label):
        for step in steps:
            seen.append(label)
            yield step

    write_dataset(make_record(n_items=2_001), now=NOW, track=track)
    assert seen.count("judgments") == 2
    assert seen[:3] == ["images", "references", "systems"]
