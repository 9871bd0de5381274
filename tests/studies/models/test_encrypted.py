"""Tests of encrypted fields: the stored values, and lookups that are rejected."""

import pytest
from django.core import serializers
from django.core.exceptions import FieldError
from django.core.serializers.base import DeserializationError
from django.db import IntegrityError, connection

from studies.enums import PanelKind
from studies.models import Identity, Invitation, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def _make_identity(person: str = "zoe") -> Identity:
    return Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id=person, created_at=NOW)


def _make_submission(study, session: str = "s1", panel: str = PanelKind.PROLIFIC) -> Submission:
    return Submission.objects.create(
        study=study, identity_hash="a" * 64, panel=panel, session_id=session, parameters={"x": "zoe"}, started_at=NOW
    )


def _read_raw(model, column: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {model._meta.db_table}")  # noqa: S608 - names of ours
        return cursor.fetchone()[0]


def test_text_and_json_are_read_as_they_were_written() -> None:
    _make_identity("zoë ✓")
    _make_submission(make_open_study())

    assert Identity.objects.values_list("participant_id", flat=True).get() == "zoë ✓"
    assert Submission.objects.get().parameters == {"x": "zoe"}


def test_database_holds_no_letter_of_it() -> None:
    _make_identity()
    _make_submission(make_open_study())

    held = (_read_raw(Identity, "participant_id"), _read_raw(Submission, "session_id"))

    assert [text[:5] for text in held] == ["gAAAA"] * 2
    assert "zoe" not in _read_raw(Submission, "parameters")


@pytest.mark.parametrize("lookup", ["participant_id", "participant_id__startswith", "participant_id__in"])
def test_query_cannot_compare_what_is_encrypted(lookup: str) -> None:
    with pytest.raises(FieldError, match="participant_id is encrypted"):
        Identity.objects.filter(**{lookup: "zoe"}).exists()


def test_dump_of_rows_is_encrypted_too() -> None:
    _make_identity("zoe-planted")

    assert "zoe-planted" not in serializers.serialize("json", Identity.objects.all())


def _dump_and_empty(*models) -> str:
    dumped = serializers.serialize("json", [row for model in models for row in model.objects.all()])
    for model in models:
        model.objects.all().delete()
    return dumped


def _load(dumped: str) -> None:
    for row in serializers.deserialize("json", dumped):
        row.save()


def test_dump_that_is_loaded_again_reads_as_before() -> None:
    _make_identity("zoë ✓")
    _make_submission(make_open_study())

    _load(_dump_and_empty(Identity, Submission))

    assert Identity.objects.values_list("participant_id", flat=True).get() == "zoë ✓"
    assert Submission.objects.values_list("session_id", "parameters").get() == ("s1", {"x": "zoe"})
    assert _read_raw(Identity, "participant_id").startswith("gAAAA")


def test_dump_of_another_key_is_refused(settings) -> None:
    _make_identity()
    dumped = _dump_and_empty(Identity)
    settings.ACCORDANCE_IDENTITY_KEY = "another key that has never encrypted anything"

    with pytest.raises(DeserializationError, match="neither ACCORDANCE_IDENTITY_KEY nor among"):
        _load(dumped)
    assert not Identity.objects.exists()


def test_visit_is_stored_once_for_its_panel_and_study() -> None:
    study, other = make_open_study(), make_open_study("other")
    _make_submission(study)
    _make_submission(study, panel=PanelKind.GENERIC)
    _make_submission(other)

    with pytest.raises(IntegrityError):
        _make_submission(study)


def test_token_of_an_invitation_is_hashed_beside_it() -> None:
    made = Invitation.objects.create(study=make_open_study(), identity_hash="a" * 64, created_at=NOW)

    assert len(made.token) == 22
    assert made.token not in _read_raw(Invitation, "token") + _read_raw(Invitation, "token_hash")
