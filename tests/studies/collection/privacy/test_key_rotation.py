"""Tests of changing the identity key: all raters are recognised meanwhile, and the old key is not needed afterwards."""

from datetime import timedelta
from random import Random

import pytest

from studies.collection.arrival.arrivals import Arrival, find_arrived, find_session, record_arrival
from studies.collection.arrival.identities import name_people
from studies.collection.arrival.invitations import find_invited, invite
from studies.collection.arrival.raters import Participant, join_study, list_identity_hashes
from studies.collection.pay.earnings import list_payees
from studies.collection.privacy.key_rotation import DuplicateIdentities, Rekeyed, rotate_identity_key
from studies.enums import PanelKind
from studies.identity_keys import UnknownIdentityKey
from studies.models import Identity, Payment, Rater, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
OLD, NEW = "the old secret", "the new secret"
"""The secrets of these tests."""


@pytest.fixture(autouse=True)
def _begin_with_the_old_key(settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = OLD, []


def _change_key(settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = NEW, [OLD]


def _drop_old_key(settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = []


def _arrive(person: str) -> Arrival:
    participant = Participant(PanelKind.PROLIFIC, person)
    return Arrival(PanelKind.PROLIFIC, participant, session_id=f"visit of {person}", parameters={"STUDY_ID": "x"})


def _join(study, person: str) -> Rater:
    version, arrival = study.versions.latest("number"), _arrive(person)
    rater = join_study(study, version=version, now=NOW, rng=Random(person), participant=arrival.participant)
    record_arrival(rater, arrival, now=NOW)
    return rater


def test_everything_is_known_before_during_and_after(settings) -> None:
    study = make_open_study()
    raters = {person: _join(study, person) for person in ("anna", "berta", "carla")}
    (invited,) = invite(study, ["zoe@example.org"], now=NOW)
    Payment.objects.create(rater=raters["anna"], amount="1.00", currency="EUR", reason="top-up", decided_at=NOW)

    def look() -> tuple[object, ...]:
        found = {person: find_arrived(study, _arrive(person)) for person in raters}
        visit = find_session(study.pk, PanelKind.PROLIFIC, "visit of berta")
        payees = [person for person, _, _ in list_payees(study)]
        return found, visit.parameters, find_invited(study, invited.token), payees

    expected = (raters, {"STUDY_ID": "x"}, invited, ["anna"])
    assert look() == expected

    _change_key(settings)
    assert look() == expected
    # In the middle of the change somebody comes back, and somebody new comes.
    _join(study, "anna")
    _join(study, "dora")
    assert (Rater.objects.count(), Submission.objects.count()) == (4, 4)

    assert rotate_identity_key(chunk=2) == Rekeyed(n_identities=4, n_links=7, n_visits=3, n_invitations=1)
    assert look() == expected

    _drop_old_key(settings)
    assert look() == expected
    assert sorted(name_people(Rater.objects.all()).values()) == ["anna", "berta", "carla", "dora"]
    assert rotate_identity_key() == Rekeyed()


def test_without_the_change_the_new_key_reads_nothing(settings) -> None:
    _join(make_open_study(), "anna")
    _change_key(settings)
    _drop_old_key(settings)

    with pytest.raises(UnknownIdentityKey):
        rotate_identity_key()


def test_a_second_rotation_replaces_hashes_written_during_the_first(settings) -> None:
    study = make_open_study()
    rater = _join(study, "anna")
    old_hash = rater.identity_hash
    _change_key(settings)
    rotate_identity_key()

    # A request that had read the rater before the change writes a visit after it.
    Rater.objects.filter(pk=rater.pk).update(identity_hash=old_hash)

    assert rotate_identity_key() == Rekeyed(n_links=1)
    assert find_arrived(study, _arrive("anna")) == rater


def test_broken_off_it_goes_on_where_it_was(settings) -> None:
    study = make_open_study()
    for person in ("anna", "berta", "carla"):
        _join(study, person)
    carla = Identity.objects.latest("pk")
    told = {"panel": "prolific", "participant_id": "carla", "created_at": NOW + timedelta(days=1)}
    _change_key(settings)
    # Carla was taken in again by a server that knew the new key only.
    _drop_old_key(settings)
    twin = Identity.objects.create(identity_hash=_hash_anew("carla"), **told)
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = [OLD]

    again = Rater.objects.create(study=study, pseudonym="again", identity_hash=twin.identity_hash, joined_at=NOW)

    with pytest.raises(DuplicateIdentities, match=r"has one person twice .* erases both participations") as refusal:
        rotate_identity_key(chunk=2)

    assert (study.name in str(refusal.value), "carla" in str(refusal.value)) == (True, False)
    assert Identity.objects.filter(identity_hash__in=[_hash_anew("anna"), _hash_anew("berta")]).count() == 2
    assert set(Identity.objects.values_list("pk", flat=True)) >= {carla.pk, twin.pk}
    again.delete()
    assert rotate_identity_key(chunk=2) == Rekeyed(n_identities=1, n_links=2, n_visits=3)


@pytest.mark.parametrize("is_newest_first", [True, False])
def test_person_whom_two_keys_know_in_two_studies_has_one_identity_after_it(settings, is_newest_first) -> None:
    study, other = make_open_study(), make_open_study("other")
    keys = {study: (OLD, []), other: (NEW, [])}
    for one in [other, study] if is_newest_first else [study, other]:
        settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = keys[one]
        _join(one, "anna")
    assert Identity.objects.count() == 2
    _change_key(settings)

    rotate_identity_key(chunk=1)

    _drop_old_key(settings)
    assert Identity.objects.get().participant_id == "anna"
    assert set(Rater.objects.values_list("identity_hash", flat=True)) == {_hash_anew("anna")}
    assert set(Submission.objects.values_list("identity_hash", flat=True)) == {_hash_anew("anna")}
    assert rotate_identity_key() == Rekeyed()


def _hash_anew(person: str) -> str:
    return list_identity_hashes(Participant(PanelKind.PROLIFIC, person))[0]
