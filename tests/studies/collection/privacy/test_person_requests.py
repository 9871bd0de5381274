"""Tests of erasures on request that fail: the state of the database and of the log of erasures."""

from pathlib import Path
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection

from studies.access.audit import Actor
from studies.collection.arrival.raters import Participant, join_study
from studies.collection.privacy.erasure_log import read_erasures
from studies.collection.privacy.person_requests import erase_person
from studies.enums import Interface
from studies.models import Identity, Rater
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db(transaction=True)
ZOE = Participant("prolific", "zoe")


@pytest.fixture(autouse=True)
def log(settings, tmp_path) -> Path:
    settings.ACCORDANCE_ERASURES = str(tmp_path / "erasures.jsonl")
    return tmp_path / "erasures.jsonl"


@pytest.fixture
def rater() -> Rater:
    study = make_open_study()
    return join_study(study, version=study.versions.latest("number"), now=NOW, rng=Random(1), participant=ZOE)


def _erase(user) -> None:
    erase_person(ZOE, erase_judgments=True, actor=Actor(user, Interface.PAGE), now=NOW, rng=Random(2))


def test_erasure_whose_commit_fails_is_not_logged_as_done(rater, log) -> None:
    # An account that is gone when its event is committed: that constraint is deferred.
    gone = get_user_model()(pk=4711, username="gone")

    with pytest.raises(DatabaseError):
        _erase(gone)

    rater.refresh_from_db()
    assert (rater.outcome, Identity.objects.count()) == ("", 1)
    if connection.vendor == "postgresql":
        assert not log.exists()
    else:
        read = read_erasures([log])
        assert read.unconfirmed == set(read.by_subject)


def test_erasure_that_is_done_is_confirmed_once(rater, log) -> None:
    _erase(make_user())

    rater.refresh_from_db()
    assert (rater.outcome, Identity.objects.count()) == ("withdrawn", 0)
    assert (len(read_erasures([log]).by_subject), read_erasures([log]).unconfirmed) == (2, frozenset())
    assert [line.startswith('{"done"') for line in log.read_text().splitlines()].count(True) == 1


def test_nothing_is_erased_while_the_log_cannot_be_written(rater, log) -> None:
    log.mkdir()

    with pytest.raises(OSError, match="Is a directory"):
        _erase(make_user())

    rater.refresh_from_db()
    assert (rater.outcome, Identity.objects.count()) == ("", 1)
