"""Tests of personal links."""

import pytest

from studies.collection.arrival.invitations import find_invited, invite
from studies.models import AuditEntry, Identity, Invitation
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def test_each_person_gets_one_token_and_keeps_it() -> None:
    study = make_open_study()
    first = invite(study, ["zoe", " adam ", "zoe"], now=NOW)

    again = invite(study, ["adam", "eve"], now=NOW)

    assert [one.participant.participant_id for one in first] == ["zoe", "adam"]
    assert again[0] == first[1]
    assert len({one.token for one in (*first, *again)}) == 3
    assert Invitation.objects.count() == 3
    # How many, and not who; of the second list eve alone is new.
    assert [entry.details for entry in AuditEntry.objects.filter(action="invited").order_by("pk")] == [
        {"people": 2},
        {"people": 1},
    ]


def test_tokens_find_the_person_until_erasure() -> None:
    study = make_open_study()
    (zoe,) = invite(study, ["zoe"], now=NOW)
    assert find_invited(study, zoe.token) == zoe

    Identity.objects.all().delete()

    assert find_invited(study, zoe.token) is None
    assert find_invited(study, "made-up") is None


@pytest.mark.parametrize("person", ["", "  ", "x" * 201])
def test_nameless_person_is_refused_and_nobody_is_invited(person) -> None:
    with pytest.raises(ValueError, match="1 to 200 characters"):
        invite(make_open_study(), ["zoe", person], now=NOW)

    assert Invitation.objects.count() == Identity.objects.count() == 0
