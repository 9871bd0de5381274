"""Tests of rows sent by a program, which become a closed study, all or nothing."""

import pytest

from studies.access.audit import Actor
from studies.datasets.importing.given import import_rows
from studies.enums import Interface
from studies.models import AuditEntry, Candidate, Dataset, Judgment, Reference, Study
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
ROWS = [
    {"image": "one", "system": "first", "candidate": "A dog.", "value": 1, "rater": "ann"},
    {"image": "one", "system": "second", "candidate": "Ein Hund läuft.", "value": 4, "rater": "ann"},
    {"image": "two", "system": "first", "candidate": "A cat.", "value": 2, "rater": "bob"},
]


def give(rows=ROWS, *, references=None, scale="", protocol="", name="given"):
    actor = Actor(make_user("anna"), Interface.API)
    return import_rows(
        name, rows=rows, references=references or {}, scale=scale, protocol=protocol, actor=actor, now=NOW
    )


def test_rows_become_a_closed_study_of_who_acts():
    give(references={"one": ["A brown dog.", "A dog runs."], "two": ["A cat sits."]}, scale="1-5")

    study = Study.objects.get()
    assert (study.name, study.state, study.owner.username, study.dataset.name) == ("given", "closed", "anna", "given")
    values = Judgment.objects.order_by("pk").values_list("item__candidate__text", "rater__pseudonym", "value")
    # Raters get pseudonyms of ours.
    assert list(values) == [("A dog.", "rater-1", 1.0), ("Ein Hund läuft.", "rater-1", 4.0), ("A cat.", "rater-2", 2.0)]
    assert list(Reference.objects.order_by("image__key", "position").values_list("image__key", "text")) == [
        ("one", "A brown dog."),
        ("one", "A dog runs."),
        ("two", "A cat sits."),
    ]
    assert (AuditEntry.objects.get().action, AuditEntry.objects.get().interface) == ("created", "api")


def test_a_protocol_is_taken():
    give(references={"one": ["A dog runs."], "two": ["A cat sits."]}, protocol="flickr8k-cf@1")

    assert Study.objects.get().protocol == "flickr8k-cf@1"


@pytest.mark.parametrize(
    ("wrong", "scale", "location"),
    [
        ({"value": "much"}, "", "rows.jsonl, line 3, field value"),
        ({"image": ""}, "", "rows.jsonl, line 3, field image"),
        ({"value": 6}, "1-5", "rows.jsonl, line 3, field value"),
    ],
)
def test_a_row_that_breaks_a_rule_is_named_and_nothing_is_kept(wrong, scale, location):
    with pytest.raises(ImportFailed) as refused:
        give([*ROWS[:2], {**ROWS[2], **wrong}], scale=scale)

    assert str(refused.value.location) == location
    counts = [model.objects.count() for model in (Study, Dataset, Candidate, Judgment, AuditEntry)]
    assert counts == [0] * 5


def test_a_name_that_cannot_stand_in_an_address():
    with pytest.raises(ImportFailed):
        give(name="a name")
