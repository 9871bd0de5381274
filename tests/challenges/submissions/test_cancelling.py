"""Tests of cancellations, and of the files that are deleted some time after the end of a submission."""

from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from challenges.enums import SubmissionState
from challenges.errors import ChallengeRefused
from challenges.submissions.cancelling import FILES_KEPT, LONGEST_UPLOAD, cancel_submission
from challenges.submissions.uploads import begin_upload
from jobs.requests import delete_old_jobs
from tests.challenges.challenges import make_team, score_all, submit
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def test_only_what_has_no_score_can_be_cancelled(phase):
    team = make_team(phase.challenge)
    early = submit(phase, team=team)
    cancel_submission(early, reason="a mistake", now=NOW)
    score_all()
    early.refresh_from_db()
    assert (early.state, early.reason, early.scores.count()) == (SubmissionState.CANCELLED, "a mistake", 0)

    late = submit(phase, team=team)
    score_all()
    with pytest.raises(ChallengeRefused, match="has already ended: scored"):
        cancel_submission(late, reason="", now=NOW)
    type(late).objects.filter(pk=late.pk).update(state=SubmissionState.SCORING, finished_at=None)
    with pytest.raises(ChallengeRefused, match="the submission counts"):
        cancel_submission(late, reason="", now=NOW)


def test_files_of_failed_and_cancelled_submissions_are_deleted_a_week_after_their_end(phase):
    team = make_team(phase.challenge)
    cancelled, failed, scored = (
        submit(phase, team=team),
        submit(phase, team=team, content=b"[]"),
        submit(phase, team=team),
    )
    cancel_submission(cancelled, reason="a mistake", now=NOW)
    score_all()
    paths = [Path(each.file.path) for each in (cancelled, failed, scored)]

    delete_old_jobs(now=NOW + FILES_KEPT - LONGEST_UPLOAD)
    assert [path.exists() for path in paths] == [True, True, True]
    # A worker does this every hour.
    delete_old_jobs(now=NOW + FILES_KEPT)

    assert [path.exists() for path in paths] == [False, False, True]
    for each in (cancelled, failed):
        digest = each.digest
        each.refresh_from_db()
        assert (each.file.name, each.digest) == ("", digest)


def test_unfinished_uploads_end_without_another_upload(phase, django_capture_on_commit_callbacks):
    team = make_team(phase.challenge)
    upload = begin_upload(phase, team=team, user=team.members.get().user, name="x.json", n_bytes=9, now=NOW)

    with django_capture_on_commit_callbacks(execute=True):
        delete_old_jobs(now=NOW + LONGEST_UPLOAD)

    upload.refresh_from_db()
    assert (upload.state, Path(upload.file.path).exists()) == (SubmissionState.CANCELLED, False)


def test_a_file_that_cannot_be_deleted_is_tried_again(phase, monkeypatch, caplog):
    """Other files are deleted, and the worker goes on."""
    team = make_team(phase.challenge)
    first, second = submit(phase, team=team), submit(phase, team=team)
    for each in (first, second):
        cancel_submission(each, reason="a mistake", now=NOW)
    delete = FileSystemStorage.delete

    def refuse(self, name):
        if first.token in name:
            raise PermissionError("read-only")
        delete(self, name)

    monkeypatch.setattr(FileSystemStorage, "delete", refuse)
    delete_old_jobs(now=NOW + FILES_KEPT)
    assert [Path(each.file.path).exists() for each in (first, second)] == [True, False]
    assert "could not be deleted" in caplog.text

    monkeypatch.undo()
    delete_old_jobs(now=NOW + FILES_KEPT)
    assert not Path(first.file.path).exists()
