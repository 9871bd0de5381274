"""Tests of uploads from a browser, and of the page of a submission."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from challenges.enums import SubmissionState
from challenges.models import Phase, Submission
from tests.challenges.challenges import score_all, write_results
from tests.challenges.people import begin

pytestmark = pytest.mark.django_db
PHASE = "/challenges/captions/phases/test/"


@pytest.fixture
def member(client, arena):
    """A browser in which a member of a team is logged in."""
    client.force_login(arena.people["member"])
    return client


def upload(browser, content=None, *, name="captions_val_mine_results.json", **data):
    file = SimpleUploadedFile(name, write_results() if content is None else content)
    return browser.post(PHASE, {"file": file, **data})


def find_address(submission):
    return f"/challenges/captions/submissions/{submission.token}/"


def test_an_upload_is_queued_scored_and_shown(member, arena):
    sent = upload(member, description="A baseline.")
    submission = Submission.objects.latest("pk")
    queued = member.get(sent.url).content.decode()
    score_all(now=timezone.now())
    scored = member.get(sent.url).content.decode()

    assert (sent.status_code, sent.url) == (302, find_address(submission))
    assert (submission.made_by, submission.description) == (arena.people["member"], "A baseline.")
    assert "Starting soon." in queued
    assert f'hx-get="{sent.url}progress/"' in queued
    assert "hx-get" not in scored
    submission.refresh_from_db()
    assert submission.state == SubmissionState.SCORED
    score = submission.scores.get(metric="rouge-l", references="c2")
    assert f'<td class="number">{score.value:.3f}</td>' in scored
    assert f"{score.value:.5f}" not in scored


def test_the_place_in_line_is_shown(member, arena):
    upload(member)
    sent = upload(member)

    assert "1 job is ahead of it." in member.get(f"{sent.url}progress/").content.decode()


def test_errors_are_shown_by_entry_and_do_not_count(member, arena):
    before = member.get(PHASE).content.decode()
    wrong = [{"image_id": 10, "caption": 1}, {"image_id": 99, "caption": "a dog"}]
    sent = upload(member, json.dumps(wrong).encode())
    score_all(now=timezone.now())
    page = member.get(sent.url).content.decode()
    after = member.get(PHASE).content.decode()

    assert "entry 1: field &#x27;caption&#x27;: must be text, got 1" in page
    assert "entry 2: field &#x27;image_id&#x27;: must be the id of one of the 4 images, got 99" in page
    assert "image 13 must have 1 caption, got none" in page
    assert "Upload a corrected file" in page
    for each in (before, after):
        assert "<dt>Used today</dt><dd>1 <small>of 5</small>" in each


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [("results.txt", b"[]", "must end with .json or .zip"), ("results.json", b"", "empty")],
)
def test_files_that_cannot_be_results_are_refused(member, arena, name, content, told):
    refused = upload(member, content, name=name)

    assert (refused.status_code, told in refused.content.decode()) == (422, True)
    assert Submission.objects.count() == 2


def test_the_limit_of_the_day_refuses_and_leaves_no_file(member, arena, settings):
    Phase.objects.update(per_day=1)
    n_files = len(list(Path(settings.MEDIA_ROOT).rglob("*.json")))

    refused = upload(member)
    page = member.get(PHASE).content.decode()

    assert refused.status_code == 422
    assert "The team has used all its 1 submissions for today" in refused.content.decode()
    assert len(list(Path(settings.MEDIA_ROOT).rglob("*.json"))) == n_files
    assert "Your team has used all its submissions for today." in page
    assert 'type="file"' not in page


def test_a_phase_that_is_over_takes_nothing(member, arena):
    page = member.get("/challenges/captions/phases/over/").content.decode()

    assert "The phase accepts submissions from" in page
    assert 'type="file"' not in page


def test_a_large_form_is_not_read(member, arena, settings):
    settings.ACCORDANCE_UPLOAD_MB = 0

    refused = upload(member)

    assert (refused.status_code, b"send a zip file, or use the API" in refused.content) == (413, True)


def test_only_a_team_uploads(client, arena):
    asked = upload(client)
    assert asked.url.startswith("/login/?next=")
    for person in ("stranger", "owner"):
        client.force_login(arena.people[person])
        assert upload(client).status_code == 403
    assert Submission.objects.count() == 2
    assert b"join the challenge" in client.get(PHASE).content


def test_a_submission_is_cancelled_before_its_first_score(member, arena):
    sent = upload(member)
    cancelled = member.post(f"{sent.url}cancel/", follow=True).content.decode()
    again = member.post(f"{sent.url}cancel/", follow=True).content.decode()
    scored = member.post(f"{find_address(arena.scored)}cancel/", follow=True).content.decode()

    assert "Cancelled by member-of-Lynx." in cancelled
    assert "The submission has already ended: cancelled." in again
    assert "The submission has already ended: scored." in scored
    assert "<dt>Used today</dt><dd>1 <small>" in member.get(PHASE).content.decode()


def test_an_unfinished_upload_says_how_to_go_on(member, arena):
    page = member.get(find_address(begin(arena))).content.decode()

    assert "The upload is not complete." in page
    assert "hx-get" not in page


def test_a_disqualified_submission_says_why(member, arena):
    Submission.objects.filter(pk=arena.scored.pk).update(disqualified_because="It was made by people.")

    assert "It was made by people." in member.get(find_address(arena.scored)).content.decode()


def test_a_team_leaves_a_submission_out_and_brings_it_back(member, arena):
    address, board = find_address(arena.scored), f"{PHASE}leaderboard/"
    hidden = member.post(f"{address}hide/", follow=True).content.decode()
    without = member.get(board).content.decode()
    page = member.get(PHASE).content.decode()
    shown = member.post(f"{address}show-again/", follow=True).content.decode()

    assert "The submission is hidden from the leaderboard" in hidden
    assert "Show on the leaderboard again" in hidden
    assert ">Lynx" not in without
    assert "<dt>Used today</dt><dd>1 <small>" in page
    assert "The submission is on the leaderboard again." in shown
    assert ">Lynx" in member.get(board).content.decode()


def test_a_final_leaderboard_keeps_its_submissions(member, arena):
    Phase.objects.filter(pk=arena.phase.pk).update(frozen_at=timezone.now())

    page = member.post(f"{find_address(arena.scored)}hide/", follow=True).content.decode()

    assert "The leaderboard of the phase is final." in page
    assert "Hide from the leaderboard" not in page
    assert not Submission.objects.filter(is_hidden=True).exists()
