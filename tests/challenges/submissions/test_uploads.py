"""Tests of uploads in parts: they continue where they were cut, and count once they are complete."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from challenges.enums import SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Challenge
from challenges.submissions.cancelling import LONGEST_UPLOAD
from challenges.submissions.uploads import append_part, begin_upload, find_offset, finish_upload
from challenges.taking_part.limits import count_usage
from tests.challenges.challenges import make_challenge, make_phase, make_team, score_all, submit, write_results
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase():
    return make_phase(make_challenge(), per_day=1)


def begin(phase, team, *, n_bytes=None, now=NOW):
    size = len(write_results()) if n_bytes is None else n_bytes
    return begin_upload(phase, team=team, user=team.members.first().user, name="x.json", n_bytes=size, now=now)


def test_an_upload_continues_where_it_was_cut(phase):
    team, content = make_team(phase.challenge), write_results()
    upload = begin(phase, team)
    assert append_part(upload, offset=0, content=content[:50]) == find_offset(upload) == 50
    with pytest.raises(ChallengeRefused, match="must begin at byte 50, got 0"):
        append_part(upload, offset=0, content=content)
    with pytest.raises(ChallengeRefused, match="continue the upload"):
        finish_upload(upload, now=NOW)
    assert count_usage(phase, team=team, now=NOW).today == 0

    append_part(upload, offset=50, content=content[50:])
    with pytest.raises(ChallengeRefused, match="got more"):
        append_part(upload, offset=len(content), content=b"x")
    done = finish_upload(upload, now=NOW)

    assert (done.state, done.digest) == (SubmissionState.RECEIVED, hashlib.sha256(content).hexdigest())
    assert count_usage(phase, team=team, now=NOW).today == 1
    for refused in (lambda: finish_upload(upload, now=NOW), lambda: append_part(upload, offset=0, content=b"x")):
        with pytest.raises(ChallengeRefused, match="the upload has already ended"):
            refused()
    score_all()
    done.refresh_from_db()
    assert done.state == SubmissionState.SCORED


def test_two_uploads_cannot_pass_a_limit_of_one(phase):
    team, content = make_team(phase.challenge), write_results()
    uploads = [begin(phase, team), begin(phase, team)]
    for each in uploads:
        append_part(each, offset=0, content=content)
    finish_upload(uploads[0], now=NOW)
    with pytest.raises(ChallengeRefused, match="all its 1 submissions for today"):
        finish_upload(uploads[1], now=NOW)
    # The next day it can be finished.
    assert finish_upload(uploads[1], now=NOW + timedelta(days=1)).state == SubmissionState.RECEIVED


def test_unfinished_uploads_are_few_and_end_after_a_day(phase, django_capture_on_commit_callbacks):
    team, others = make_team(phase.challenge), make_team(phase.challenge, "others")
    first, *_ = [begin(phase, team) for _ in range(3)]
    with pytest.raises(ChallengeRefused, match="3 unfinished uploads"):
        begin(phase, team)
    assert Path(first.file.path).exists()

    # Those of all teams end, so that what a team leaves behind does not stay.
    with django_capture_on_commit_callbacks(execute=True):
        begin(phase, others, now=NOW + LONGEST_UPLOAD)

    first.refresh_from_db()
    assert (first.state, first.finished_at) == (SubmissionState.CANCELLED, NOW + LONGEST_UPLOAD)
    assert not Path(first.file.path).exists()


@pytest.mark.parametrize("days", [-3, 31])
def test_a_phase_accepts_only_between_its_dates(phase, days):
    with pytest.raises(ChallengeRefused, match="accepts submissions from"):
        submit(phase, team=make_team(phase.challenge), now=NOW + timedelta(days=days))


def test_other_things_that_are_refused(phase):
    team = make_team(phase.challenge)
    with pytest.raises(ChallengeRefused, match="1 to"):
        begin(phase, team, n_bytes=0)
    with pytest.raises(ChallengeRefused, match="another challenge"):
        submit(phase, team=make_team(make_challenge("other"), "other"))
    Challenge.objects.update(state="closed")
    phase.challenge.refresh_from_db()
    with pytest.raises(ChallengeRefused, match="challenge is not open"):
        submit(phase, team=team)
