"""Tests of joining a study: pseudonyms, keyed hashes, consent."""

from datetime import timedelta
from random import Random

import pytest

from studies.collection.arrival.raters import (
    Participant,
    give_consent,
    has_consented,
    join_study,
    list_identity_hashes,
    make_nonce,
)
from studies.models import Consent, Identity, Rater, StudyVersion
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
ANNA = Participant(panel="prolific", participant_id="5f1d")


def _join(study, *, seed=1, participant=None, now=NOW, nonce=""):
    version = study.versions.latest("number")
    rng = Random(seed)
    return join_study(study, version=version, now=now, rng=rng, participant=participant, nonce=nonce)


def test_hash_is_keyed_and_of_panel_and_person(settings) -> None:
    known = list_identity_hashes(ANNA)

    assert list_identity_hashes(ANNA) == known
    assert list_identity_hashes(Participant("sona", "5f1d")) != known
    settings.ACCORDANCE_IDENTITY_KEY = "other"
    assert list_identity_hashes(ANNA) != known


def test_who_joined_under_an_older_key_is_the_same_rater(settings) -> None:
    study = make_open_study()
    first = _join(study, participant=ANNA)
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = [settings.ACCORDANCE_IDENTITY_KEY]
    settings.ACCORDANCE_IDENTITY_KEY = "a new one"

    again, berta = (_join(study, seed=2, participant=one) for one in (ANNA, Participant("prolific", "77aa")))

    assert again == first
    assert berta.identity_hash == list_identity_hashes(Participant("prolific", "77aa"))[0]
    assert Identity.objects.count() == 2


def test_rater_of_a_link_has_a_pseudonym_and_no_identity() -> None:
    study = make_open_study()

    rater = _join(study)

    assert (len(rater.pseudonym), rater.identity_hash, rater.joined_at) == (8, "", NOW)
    assert list(Consent.objects.values_list("rater", "version__number", "given_at")) == [(rater.pk, 2, NOW)]
    assert Identity.objects.count() == 0


def test_pseudonym_that_is_taken_is_tried_anew() -> None:
    study = make_open_study()

    raters = [_join(study, seed=7), _join(study, seed=7)]

    assert len({rater.pseudonym for rater in raters}) == 2


def test_participant_is_known_again_and_named_in_one_table_only() -> None:
    study = make_open_study()
    first = _join(study, participant=ANNA)

    again = _join(study, seed=2, participant=ANNA, now=NOW + timedelta(days=1))

    assert again == first
    assert Consent.objects.get().given_at == NOW
    assert Identity.objects.values_list("panel", "participant_id").get() == ("prolific", "5f1d")
    assert "5f1d" not in f"{first.pseudonym} {first.identity_hash}"


def test_participant_is_another_rater_in_another_study() -> None:
    raters = [_join(make_open_study(name), participant=ANNA) for name in ("one", "two")]

    assert raters[0].identity_hash == raters[1].identity_hash
    assert Rater.objects.count() == 2
    assert Identity.objects.count() == 1


@pytest.mark.parametrize(("field", "asks_again"), [("consent", True), ("instructions", False)])
def test_consent_is_to_the_words(field: str, asks_again: bool) -> None:
    study = make_open_study()
    rater = _join(study)
    design = {**study.versions.latest("number").design, field: "Something else."}
    newer = StudyVersion.objects.create(study=study, number=3, design=design, created_at=NOW)

    assert has_consented(rater, version=newer) is not asks_again

    give_consent(rater, version=newer, now=NOW)

    assert has_consented(rater, version=newer)


def test_form_sent_twice_makes_one_rater() -> None:
    study, nonce = make_open_study(), make_nonce()

    assert _join(study, nonce=nonce) == _join(study, seed=2, nonce=nonce)
    assert _join(study, seed=3, nonce=make_nonce()) != Rater.objects.first()
    assert _join(make_open_study("other"), nonce=nonce).study.name == "other"
    assert Rater.objects.count() == 3


def test_forms_without_a_nonce_make_raters_of_their_own() -> None:
    study = make_open_study()

    assert _join(study) != _join(study, seed=2)


def test_two_people_on_one_computer_are_two_raters() -> None:
    study, nonce = make_open_study(), make_nonce()
    berta = Participant(panel="prolific", participant_id="77aa")

    assert _join(study, participant=ANNA, nonce=nonce) != _join(study, seed=2, participant=berta, nonce=nonce)
