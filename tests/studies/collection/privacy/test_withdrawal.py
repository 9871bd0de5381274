"""Tests of withdrawal: the person is erased, answers are kept or erased, and slots are released."""

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.assignment import lease_task
from studies.collection.lifecycle import close_study
from studies.collection.privacy.erasure_log import list_rater_subjects, read_erasures
from studies.collection.privacy.withdrawal import AlreadyWithdrawn, withdraw
from studies.enums import AssignmentState, EventKind, PanelKind, RaterOutcome
from studies.models import (
    Assignment,
    AuditEntry,
    Identity,
    Invitation,
    Judgment,
    JudgmentRevision,
    Rater,
    RaterEvent,
    Slot,
    Submission,
    Withdrawal,
)
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=2)
HASH = "a" * 64


def _make_known_rater(study, pseudonym="rater-1", identity_hash=HASH):
    Identity.objects.get_or_create(
        identity_hash=identity_hash,
        defaults={"panel": "prolific", "participant_id": f"person {identity_hash[0]}", "created_at": NOW},
    )
    Submission.objects.create(
        study=study, identity_hash=identity_hash, panel=PanelKind.PROLIFIC, session_id=pseudonym, started_at=NOW
    )
    Invitation.objects.create(study=study, identity_hash=identity_hash, created_at=NOW)
    return make_rater(study, pseudonym, identity_hash=identity_hash)


def _withdraw(rater, *, erase=True, now=LATER):
    return withdraw(rater, erase_judgments=erase, now=now, rng=Random(1))


def test_person_is_forgotten_and_judgments_are_erased_with_their_history() -> None:
    study = make_open_study(n_tasks=3)
    rater = _make_known_rater(study)
    work(rater, n_tasks=2)
    judgment = Judgment.objects.first()
    JudgmentRevision.objects.create(judgment=judgment, value=4.0, created_at=NOW, replaced_at=NOW)

    receipt = _withdraw(rater)

    rater.refresh_from_db()
    assert (receipt.n_judgments_erased, receipt.n_judgments_kept, receipt.withdrawn_at) == (2, 0, LATER)
    assert (rater.identity_hash, rater.outcome, rater.finished_at) == ("", RaterOutcome.WITHDRAWN, LATER)
    entry = AuditEntry.objects.get(action="withdrawn")
    assert (entry.study, entry.actor_name, entry.details) == (study, "", {"judgments_erased": 2})
    assert [model.objects.count() for model in (Identity, Submission, Invitation, Judgment, JudgmentRevision)] == [
        0
    ] * 5


def test_judgments_stay_if_the_rater_lets_them() -> None:
    study = make_open_study(n_tasks=3)
    rater = _make_known_rater(study)
    work(rater, n_tasks=2)

    receipt = _withdraw(rater, erase=False)

    assert (receipt.n_judgments_erased, receipt.n_judgments_kept) == (0, 2)
    assert Judgment.objects.filter(rater=rater).count() == 2
    assert Identity.objects.count() == 0


def test_slots_are_free_for_somebody_else() -> None:
    study = make_open_study(n_tasks=1)
    rater = _make_known_rater(study)
    work(rater)
    other = make_rater(study, "other")
    assert lease_task(other, now=LATER) is None

    _withdraw(rater)

    assert set(Assignment.objects.values_list("state", "submitted_at")) == {(AssignmentState.RETURNED, None)}
    assert Slot.objects.filter(is_held=True).count() == 0
    other = make_rater(study, "another")
    assert lease_task(other, now=LATER) is not None


def test_task_in_hand_goes_back_also_where_judgments_stay() -> None:
    study = make_open_study(n_tasks=2)
    rater = _make_known_rater(study)
    work(rater)
    lease_task(rater, now=NOW + timedelta(minutes=2))

    _withdraw(rater, erase=False)

    states = sorted(Assignment.objects.values_list("state", flat=True))
    assert states == [AssignmentState.RETURNED, AssignmentState.SUBMITTED]


def test_others_keep_what_is_theirs() -> None:
    study, elsewhere = make_open_study(raters_per_task=2), make_open_study("elsewhere")
    rater, other = _make_known_rater(study), _make_known_rater(study, "rater-2", "b" * 64)
    _make_known_rater(elsewhere, "rater-3")
    work(rater)
    work(other)

    _withdraw(rater)

    assert Judgment.objects.get().rater == other
    # The same person is still known in the other study.
    assert sorted(Identity.objects.values_list("identity_hash", flat=True)) == [HASH, "b" * 64]
    assert Submission.objects.filter(study=elsewhere).count() == 1


def test_works_after_the_study_was_closed() -> None:
    study = make_open_study()
    rater = _make_known_rater(study)
    work(rater)
    close_study(study, now=NOW)

    assert _withdraw(rater).n_judgments_erased == 1


def test_receipt_and_event_lead_to_nobody() -> None:
    study = make_open_study()
    rater = _make_known_rater(study)
    RaterEvent.objects.create(study=study, rater=rater, kind=EventKind.LATE, at=NOW)

    receipt = _withdraw(rater)

    assert [len(part) for part in receipt.code.split("-")] == [4, 4, 4]
    assert Withdrawal.objects.values_list("receipt", "study").get() == (receipt.code, study.pk)
    assert list(RaterEvent.objects.values_list("rater", "kind", "details")) == [(None, EventKind.WITHDREW, {})]


def test_second_withdrawal_is_refused() -> None:
    rater = _make_known_rater(make_open_study())
    _withdraw(rater)

    with pytest.raises(AlreadyWithdrawn, match="withdrawn from this study before"):
        _withdraw(rater)
    assert Withdrawal.objects.count() == 1


def test_person_whom_two_keys_know_withdraws_as_one(settings, tmp_path) -> None:
    settings.ACCORDANCE_ERASURES = str(tmp_path / "erasures.jsonl")
    study = make_open_study(n_tasks=3)
    settings.ACCORDANCE_IDENTITY_KEY, settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = "the new secret", ["the old secret"]
    hashes = list_identity_hashes(Participant("prolific", "zoe"))
    twins = [make_rater(study, f"twin-{number}", identity_hash=one) for number, one in enumerate(hashes)]
    for rater in twins:
        told = {"panel": "prolific", "participant_id": "zoe", "created_at": NOW}
        Identity.objects.create(identity_hash=rater.identity_hash, **told)
        work(rater)

    receipt = _withdraw(twins[0])

    assert (receipt.n_judgments_erased, receipt.n_judgments_kept) == (2, 0)
    assert not Judgment.objects.exists()
    assert not Identity.objects.exists()
    assert set(Rater.objects.values_list("identity_hash", "outcome")) == {("", RaterOutcome.WITHDRAWN)}
    assert Withdrawal.objects.count() == 1
    with pytest.raises(AlreadyWithdrawn):
        _withdraw(twins[1])
    logged = read_erasures([Path(settings.ACCORDANCE_ERASURES)]).by_subject
    assert [logged[list_rater_subjects(rater)[0]].receipt for rater in twins] == [receipt.code] * 2
