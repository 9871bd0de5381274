"""Tests of replaying the log of erasures on restored data; see test_restoring.py for a whole restore."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from studies.collection.arrival.raters import Participant, join_study, list_identity_hashes
from studies.collection.privacy.erasure_log import list_rater_subjects, read_erasures
from studies.collection.privacy.erasure_replay import ReplayedErasures, replay_erasures
from studies.collection.privacy.withdrawal import withdraw
from studies.enums import RaterOutcome
from studies.identity_keys import UnknownIdentityKey
from studies.models import Identity, Rater, Withdrawal
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db
ZOE = Participant("prolific", "zoe")


@pytest.fixture(autouse=True)
def log(settings, tmp_path) -> Path:
    settings.ACCORDANCE_ERASURES = str(tmp_path / "erasures.jsonl")
    return tmp_path / "erasures.jsonl"


def _join(study, *, seed: int, now=NOW) -> Rater:
    version = study.versions.latest("number")
    return join_study(study, version=version, now=now, rng=Random(seed), participant=ZOE)


def _replay_erasures(log, days: int) -> list[ReplayedErasures]:
    return replay_erasures(read_erasures([log]), now=NOW + timedelta(days=days), rng=Random(0))


def test_an_erasure_does_not_apply_to_raters_who_joined_again(log) -> None:
    study = make_open_study()
    withdraw(_join(study, seed=1), erase_judgments=True, now=NOW + timedelta(days=1), rng=Random(2))
    _join(study, seed=3, now=NOW + timedelta(days=2))

    assert _replay_erasures(log, 3) == []
    assert Identity.objects.get().participant_id == "zoe"


def test_backup_of_before_a_change_of_the_key_is_found_with_the_old_one(log, settings) -> None:
    old, study = settings.ACCORDANCE_IDENTITY_KEY, make_open_study()
    rater = _join(study, seed=1)
    withdraw(rater, erase_judgments=False, now=NOW + timedelta(days=1), rng=Random(2))
    # As a restore brings the rater back.
    Rater.objects.all().delete()
    for model in (Identity, Withdrawal):
        model.objects.all().delete()
    _join(study, seed=1)
    settings.ACCORDANCE_IDENTITY_KEY = "another key"

    with pytest.raises(UnknownIdentityKey):
        _replay_erasures(log, 2)
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = [old]
    assert _replay_erasures(log, 2) == [ReplayedErasures("study", 1, 0)]
    assert Identity.objects.count() == 0


def test_unconfirmed_erasure_is_made_again_and_counted(log) -> None:
    study = make_open_study()
    rater = _join(study, seed=1)
    (subject, *_) = list_rater_subjects(rater)
    # As a crash leaves it, between the lines and the commit or between the commit and its line.
    line = {"entry": "1", "at": (NOW + timedelta(days=1)).isoformat(), "subject": subject, "answers": False}
    log.write_text(json.dumps({**line, "receipt": "R"}) + "\n")

    assert _replay_erasures(log, 2) == [ReplayedErasures("study", 1, 0, n_unconfirmed=1)]
    assert (Identity.objects.count(), Withdrawal.objects.get().receipt) == (0, "R")
    assert _replay_erasures(log, 3) == []


def test_command_follows_whole_lines_and_fails_because_of_a_torn_one(log) -> None:
    study = make_open_study()
    withdraw(_join(study, seed=1), erase_judgments=False, now=NOW + timedelta(days=1), rng=Random(2))
    Rater.objects.all().delete()
    Withdrawal.objects.all().delete()
    _join(study, seed=1)
    log.write_text(log.read_text() + '{"entry": "2", "at"')

    with pytest.raises(CommandError, match=r"erasures.jsonl, line 4: must be an erasure as JSON"):
        call_command("replay_erasures", stdout=StringIO())
    assert Identity.objects.count() == 0


def test_command_says_what_a_missing_log_means(log) -> None:
    printed = StringIO()

    with pytest.raises(CommandError, match="there is no log of erasures at"):
        call_command("replay_erasures", stdout=printed)
    call_command("replay_erasures", "--allow-missing", stdout=printed)

    assert printed.getvalue().splitlines() == [
        "0 erasures in the log, 0 unconfirmed",
        "No erased person is in the database",
    ]


def test_two_raters_who_are_one_person_are_withdrawn_again_together(log, settings) -> None:
    study = make_open_study()
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = ["an older key"]
    hashes = list_identity_hashes(ZOE)

    def take_in() -> list[Rater]:
        made = [make_rater(study, f"twin-{number}", identity_hash=one) for number, one in enumerate(hashes)]
        for rater in made:
            told = {"panel": ZOE.panel, "participant_id": ZOE.participant_id, "created_at": NOW}
            Identity.objects.create(identity_hash=rater.identity_hash, **told)
        return made

    receipt = withdraw(take_in()[0], erase_judgments=True, now=NOW + timedelta(days=1), rng=Random(2))
    # As a restore brings both back.
    for model in (Rater, Withdrawal):
        model.objects.all().delete()
    take_in()

    assert _replay_erasures(log, 2) == [ReplayedErasures("study", 1, 0)]
    assert set(Rater.objects.values_list("identity_hash", "outcome")) == {("", RaterOutcome.WITHDRAWN)}
    assert (Identity.objects.count(), Withdrawal.objects.get().receipt) == (0, receipt.code)
