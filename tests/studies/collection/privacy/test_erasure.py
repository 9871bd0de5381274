"""Tests that personal data are kept no longer than stated in the consent."""

from datetime import timedelta

import pytest

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.pay.earnings import decide_top_ups, pay_out
from studies.collection.privacy.erasure import Erased, erase_expired
from studies.design.study_design import Pay
from studies.enums import PanelKind, RaterOutcome
from studies.models import AuditEntry, Identity, Invitation, Judgment, Payment, Rater, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def _make_identity(letter):
    return Identity.objects.create(
        identity_hash=letter * 64, panel="prolific", participant_id=f"person {letter}", created_at=NOW
    ).identity_hash


def test_who_is_done_is_forgotten_after_the_days_of_the_design_and_not_before() -> None:
    study = make_open_study(retention_days=30)
    rater = make_rater(study, identity_hash=_make_identity("a"))
    work(rater)
    Rater.objects.update(finished_at=NOW + DAY, outcome=RaterOutcome.FINISHED)

    assert erase_expired(now=NOW + 31 * DAY - timedelta(seconds=1)) == []
    assert erase_expired(now=NOW + 31 * DAY) == [Erased(study="study", n_people=1, n_identities=1)]

    rater.refresh_from_db()
    assert (rater.identity_hash, Identity.objects.count(), Judgment.objects.count()) == ("", 0, 1)
    assert erase_expired(now=NOW + 32 * DAY) == []
    entries = AuditEntry.objects.filter(action="erased").values_list("study_name", "interface", "details")
    assert list(entries) == [("study", "command", {"people": 1, "retention_days": 30})]


def test_identities_are_kept_until_owed_money_is_paid() -> None:
    study = make_open_study(n_tasks=4, retention_days=30, pay=Pay(reward=1.0, hourly_wage=12.0))
    owed, decided = (make_rater(study, name, identity_hash=_make_identity(name)) for name in ("a", "b"))
    work(owed, seconds=300)
    Rater.objects.update(finished_at=NOW, outcome=RaterOutcome.LEFT)
    Payment.objects.create(rater=decided, amount="0.40", currency="EUR", reason="thanks", decided_at=NOW)

    assert erase_expired(now=NOW + 30 * DAY) == [Erased(study="study", n_people=0, n_identities=0, n_owed=2)]
    assert Identity.objects.count() == 2

    decide_top_ups(study, now=NOW)
    pay_out(study, now=NOW)

    assert erase_expired(now=NOW + 31 * DAY) == [Erased(study="study", n_people=2, n_identities=2)]


def test_who_stayed_away_is_forgotten_from_the_last_thing_heard_of() -> None:
    study = make_open_study(n_tasks=3, retention_days=30, lease_minutes=10)
    worked = make_rater(study, "worked", identity_hash=_make_identity("a"))
    work(worked, start=NOW + 5 * DAY)
    make_rater(study, "only-joined", identity_hash=_make_identity("b"))

    erase_expired(now=NOW + 30 * DAY)

    assert dict(Rater.objects.values_list("pseudonym", "identity_hash")) == {"worked": "a" * 64, "only-joined": ""}
    assert [one.n_people for one in erase_expired(now=NOW + 36 * DAY)] == [1]


def test_invitations_and_visits_that_came_to_nothing_go_too() -> None:
    study = make_open_study(retention_days=30)
    Invitation.objects.create(study=study, identity_hash=_make_identity("a"), created_at=NOW)
    Submission.objects.create(
        study=study, identity_hash=_make_identity("b"), panel=PanelKind.PROLIFIC, session_id="s", started_at=NOW
    )

    assert erase_expired(now=NOW + 30 * DAY) == [Erased(study="study", n_people=2, n_identities=2)]
    assert Invitation.objects.count() == Submission.objects.count() == Identity.objects.count() == 0


def test_who_another_study_still_needs_stays_known_there() -> None:
    study, elsewhere = make_open_study(retention_days=30), make_open_study("elsewhere", retention_days=60)
    known = _make_identity("a")
    make_rater(study, identity_hash=known)
    make_rater(elsewhere, "there", identity_hash=known)

    assert erase_expired(now=NOW + 40 * DAY) == [Erased(study="study", n_people=1, n_identities=0)]
    assert erase_expired(now=NOW + 61 * DAY) == [Erased(study="elsewhere", n_people=1, n_identities=1)]


def test_design_without_a_time_keeps_everybody() -> None:
    make_rater(make_open_study(), identity_hash=_make_identity("a"))

    assert erase_expired(now=NOW + 10_000 * DAY) == []


@pytest.fixture
def know_twice(settings):
    """Take a person in under an old key, and again by a server that knew the new key only; return both hashes."""

    def take_in(person: str) -> tuple[str, str]:
        old, new = "the old secret", "the new secret"
        settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = new, [old]
        newest, former = list_identity_hashes(Participant("prolific", person))
        for one in (former, newest):
            Identity.objects.create(identity_hash=one, panel="prolific", participant_id=person, created_at=NOW)
        return former, newest

    return take_in


def test_time_of_a_person_whom_two_keys_know_runs_from_what_was_heard_last(know_twice) -> None:
    study = make_open_study(retention_days=30)
    former, newest = know_twice("zoe")
    make_rater(study, "former", identity_hash=former)
    make_rater(study, "newest", identity_hash=newest)
    Rater.objects.filter(pseudonym="newest").update(joined_at=NOW + 20 * DAY)

    assert erase_expired(now=NOW + 31 * DAY) == []
    assert dict(Rater.objects.values_list("pseudonym", "identity_hash")) == {"former": former, "newest": newest}

    assert erase_expired(now=NOW + 51 * DAY) == [Erased(study="study", n_people=1, n_identities=2)]


def test_person_whom_two_keys_know_stays_known_until_both_are_paid(know_twice) -> None:
    study = make_open_study(retention_days=30, pay=Pay(reward=1.0, hourly_wage=12.0))
    former, newest = know_twice("zoe")
    make_rater(study, "former", identity_hash=former)
    owed = make_rater(study, "newest", identity_hash=newest)
    Payment.objects.create(rater=owed, amount="0.40", currency="EUR", reason="thanks", decided_at=NOW)

    assert erase_expired(now=NOW + 31 * DAY) == [Erased(study="study", n_people=0, n_identities=0, n_owed=1)]
    assert Identity.objects.count() == 2
