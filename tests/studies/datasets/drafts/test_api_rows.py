"""Tests of drafts from rows sent to the API; every invalid row is named."""

import pytest

from studies.access.audit import Actor
from studies.datasets.drafts.api_rows import RowsRefused, draft_rows, read_given_design
from studies.enums import Interface, TaskKind
from studies.models import AuditEntry, Dataset, Item, Reference, Study
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
ROWS = [
    {"image": "one", "system": "first", "candidate": "A dog.", "anchor": "A dog runs."},
    {"image": "two", "system": "first", "candidate": "A cat.", "anchor": "A cat sits."},
]
DESIGN = {"question": "How well?", "scale": ["Bad", "Good"]}


def draft(rows=ROWS, *, kind=TaskKind.RATING, design=DESIGN, name="given", title="", references=None):
    actor = Actor(make_user("anna"), Interface.API)
    return draft_rows(
        name, title=title, kind=kind, design=design, rows=rows, references=references or {}, actor=actor, now=NOW
    )


def test_rows_become_a_draft_of_who_acts():
    made = draft(references={"one": ["A brown dog."]})

    study = Study.objects.get()
    assert (made.study, made.n_tasks, made.n_images) == (study, 2, 2)
    assert (study.name, study.title, study.kind, study.state) == ("given", "given", "rating", "draft")
    assert study.owner.username == "anna"
    items = Item.objects.order_by("task__position").values_list("image__key", "candidate__text", "anchor__text")
    assert list(items) == [("one", "A dog.", "A dog runs."), ("two", "A cat.", "A cat sits.")]
    assert Reference.objects.filter(text="A brown dog.", image__key="one").exists()
    assert study.versions.get().design["question"] == "How well?"
    assert AuditEntry.objects.get().interface == "api"


def test_a_preset_says_the_kind():
    draft(kind=None, design={"preset": "coco-m3", "question": "How right?"}, title="Like M3")

    study = Study.objects.get()
    assert (study.kind, study.title, study.versions.get().design["question"]) == ("rating", "Like M3", "How right?")
    assert read_given_design({"preset": "coco-m3"})[1] == TaskKind.RATING


def test_every_row_that_is_wrong_is_named_and_nothing_is_kept():
    rows = [{**ROWS[0], "candidate": ""}, {"image": "two", "system": "first", "candidate": "A cat."}]

    with pytest.raises(RowsRefused) as refused:
        draft(rows)

    assert [str(fault.location) for fault in refused.value.faults] == [
        "rows, row 1, field candidate",
        "rows, row 2, field anchor",
    ]
    assert str(refused.value).startswith("2 errors, the first: rows, row 1, field candidate")
    assert [model.objects.count() for model in (Study, Dataset, Item)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("given", "location"),
    [
        ({"kind": None}, "design.json, field kind"),
        ({"rows": []}, "rows"),
        ({"design": {"nothing": 1}}, "design.json, field nothing"),
    ],
)
def test_what_cannot_be_a_study(given, location):
    with pytest.raises(ImportFailed) as refused:
        draft(**given)

    assert (str(refused.value.location), Study.objects.count()) == (location, 0)
