"""Tests that prepared writes store what `save` does."""

import pytest
from django.db import IntegrityError, transaction

from studies.collection.assignment import lease_task
from studies.collection.assignment.prepared_writes import insert_rows, update_row
from studies.models import Assignment, Judgment
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db


def _make_judgments():
    held = lease_task(make_rater(make_open_study(n_tasks=1, n_items=2, has_files=False)), now=NOW)
    items = [entry["item"] for entry in held.shown]
    told = {"rater_id": held.rater_id, "assignment_id": held.pk, "created_at": NOW}
    answers = [{"choice": 'a "quoted" \' 100 % ünï'}, {}]
    values = [0.1 + 0.2, None]
    return [
        Judgment(item_id=item, value=value, answer=answer, **told)
        for item, value, answer in zip(items, values, answers, strict=True)
    ]


def test_rows_are_inserted_with_every_field_and_get_their_keys() -> None:
    rows = _make_judgments()

    insert_rows(rows)
    insert_rows([])

    stored = list(Judgment.objects.order_by("pk"))
    fields = [field.attname for field in Judgment._meta.concrete_fields]
    assert [[getattr(row, name) for name in fields] for row in stored] == [
        [getattr(row, name) for name in fields] for row in rows
    ]
    assert [(row._state.adding, row._state.db) for row in rows] == [(False, "default")] * 2


def test_constraints_hold_for_inserted_rows() -> None:
    first, second = _make_judgments()
    second.item_id = first.item_id

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows([first, second])

    assert not Judgment.objects.exists()


def test_only_the_named_fields_are_stored() -> None:
    held = lease_task(make_rater(make_open_study(has_files=False)), now=NOW)
    held.state, held.submitted_at, held.session = "submitted", NOW, 7

    update_row(held, ["state", "submitted_at"])

    assert list(Assignment.objects.values_list("state", "submitted_at", "session")) == [("submitted", NOW, 1)]


def test_row_that_is_gone_is_not_updated() -> None:
    held = lease_task(make_rater(make_open_study(has_files=False)), now=NOW)
    Assignment.objects.filter(pk=held.pk).delete()

    with pytest.raises(Assignment.DoesNotExist, match=f"there is no assignment {held.pk}"):
        update_row(held, ["state"])
