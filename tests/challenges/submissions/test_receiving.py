"""Tests of files that are received whole, in chunks."""

from pathlib import Path

import pytest
from django.db import connection

from challenges.enums import SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Submission
from challenges.submissions.receiving import receive_chunks
from tests.challenges.challenges import make_challenge, make_phase, make_team, write_results
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase():
    return make_phase(make_challenge(), per_day=1)


def receive(phase, team, chunks, *, n_bytes=None):
    size = sum(map(len, chunks)) if n_bytes is None else n_bytes
    user = team.members.get().user
    return receive_chunks(phase, team=team, user=user, name="x.json", n_bytes=size, chunks=chunks, now=NOW)


def test_chunks_become_one_file(phase):
    content = write_results()

    submission = receive(phase, make_team(phase.challenge), [content[:40], content[40:]])

    assert submission.state == SubmissionState.RECEIVED
    assert Path(submission.file.path).read_bytes() == content


@pytest.mark.parametrize("n_bytes", [3, 1000])
def test_a_file_of_another_size_leaves_nothing(phase, tmp_path, n_bytes):
    with pytest.raises(ChallengeRefused):
        receive(phase, make_team(phase.challenge), [b"abcde"], n_bytes=n_bytes)

    assert not Submission.objects.exists()
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_locked_while_chunks_arrive(phase):
    def arrive():
        assert not connection.in_atomic_block
        yield write_results()

    team, size = make_team(phase.challenge), len(write_results())
    user = team.members.get().user
    submission = receive_chunks(phase, team=team, user=user, name="x.json", n_bytes=size, chunks=arrive(), now=NOW)

    assert submission.state == SubmissionState.RECEIVED
