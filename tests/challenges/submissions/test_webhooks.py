"""Tests of webhooks at the end of submissions: to members who set one, signed, tried again, and without scores."""

import json
from datetime import timedelta

import pytest

from challenges.models import Submission, TeamMember, TeamWebhook
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.scoring_jobs import queue_scoring
from challenges.submissions.webhooks import SEND_TEAM_WEBHOOK
from jobs.ending import end_job
from jobs.enums import JobState
from jobs.models import Job, JobLine
from jobs.worker.claiming import claim_job
from jobs.worker.running import run_waiting_jobs
from studies.access.audit import COMMAND_LINE
from studies.webhooks.delivering import WAITS, remove_webhook, set_webhook
from studies.webhooks.policy import WebhookRefused
from studies.webhooks.signing import sign
from tests.challenges.challenges import make_team, score_all, submit
from tests.factories.studies import NOW, make_user
from tests.studies.webhooks.receiver import receive

pytestmark = pytest.mark.django_db
SITE = "https://site.example/"


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS, settings.ACCORDANCE_WEBHOOK_TESTING = ["127.0.0.1"], True


@pytest.fixture
def receiver():
    with receive() as receiver:
        yield receiver


@pytest.fixture
def team(phase):
    return make_team(phase.challenge)


@pytest.fixture
def secret(team, receiver):
    return set_webhook(TeamWebhook, member=team.members.get(), url=receiver.url, site=SITE, actor=COMMAND_LINE, now=NOW)


def read(receiver):
    return [json.loads(body) for *_, body in receiver.received]


def test_a_program_is_told_how_a_submission_ended(phase, team, receiver, secret):
    scored, failed = submit(phase, team=team), submit(phase, team=team, content=b"[]")
    cancelled = submit(phase, team=team)
    cancel_submission(cancelled, reason="a mistake", now=NOW)
    score_all()

    told = {each["data"]["submission"]: each for each in read(receiver)}
    assert {token: each["data"]["state"] for token, each in told.items()} == {
        scored.token: "scored",
        failed.token: "failed",
        cancelled.token: "cancelled",
    }
    assert told[scored.token] == {
        "type": "submission.ended",
        "timestamp": NOW.isoformat(),
        "data": {
            "submission": scored.token,
            "challenge": "captions",
            "phase": "test",
            "state": "scored",
            "page": f"https://site.example/challenges/captions/submissions/{scored.token}/",
        },
    }
    *_, headers, body = receiver.received[0]
    given = {name: value for name, value in headers.items() if name.startswith("webhook-")}
    assert given == sign(body, secret=secret, message=headers["webhook-id"], now=NOW)
    webhook = TeamWebhook.objects.get()
    assert (webhook.last_tried_at, webhook.is_delivered) == (NOW, True)
    assert webhook.last_outcome == "delivered: the host answered with status 204"
    assert secret not in webhook.encrypted_secret


def test_scoring_again_tells_nothing(phase, team, receiver, secret):
    submission = submit(phase, team=team)
    score_all()
    queue_scoring(submission, now=NOW, again=True)
    score_all()

    assert len(receiver.received) == 1


def test_a_submission_of_a_lost_worker_is_told(phase, team, receiver, secret):
    submit(phase, team=team)
    job = claim_job("challenges", now=NOW)
    end_job(Job.objects.filter(pk=job.pk), JobState.LOST, now=NOW, problem="three workers died")
    score_all()

    assert [each["data"]["state"] for each in read(receiver)] == ["failed"]


def test_a_message_is_tried_again_a_number_of_times(phase, team, receiver, secret):
    receiver.status, receiver.body = 503, b"internal words"
    submission = submit(phase, team=team)
    now = NOW
    score_all(now)
    for wait in WAITS:
        assert run_waiting_jobs(now=lambda now=now + wait - timedelta(seconds=1): now) == 0
        now += wait
        score_all(now)
    score_all(now + timedelta(days=9))

    assert len(receiver.received) == len(WAITS) + 1
    assert len({headers["webhook-id"] for _, _, headers, _ in receiver.received}) == 1
    assert len({headers["webhook-timestamp"] for _, _, headers, _ in receiver.received}) == len(WAITS) + 1
    webhook, job = TeamWebhook.objects.get(), Job.objects.get(kind=SEND_TEAM_WEBHOOK.name)
    assert (webhook.last_tried_at, webhook.is_delivered) == (now, False)
    assert webhook.last_outcome == "not delivered: the host answered with status 503"
    assert (job.state, job.problem) == (JobState.FAILED, "the host answered with status 503")
    told = webhook.last_outcome + "".join(JobLine.objects.values_list("text", flat=True))
    assert "internal words" not in told
    submission.refresh_from_db()
    assert submission.state == "scored"


def test_a_message_arrives_at_the_second_try(phase, team, receiver, secret):
    receiver.status = 500
    submit(phase, team=team)
    score_all()
    receiver.status = 200
    score_all(NOW + WAITS[0])

    assert (len(receiver.received), TeamWebhook.objects.get().is_delivered) == (2, True)


@pytest.mark.parametrize("change", ["removed", "left", "closed", "off", "not allowed"])
def test_nobody_else_is_told(phase, team, receiver, secret, settings, change):
    submit(phase, team=team)
    member = team.members.get()
    receiver.status = 500
    score_all()
    receiver.received.clear()
    receiver.status = 200
    if change == "removed":
        remove_webhook(TeamWebhook, member=member, actor=COMMAND_LINE, now=NOW)
    elif change == "left":
        member.delete()
    elif change == "closed":
        member.user.is_active = False
        member.user.save()
    else:
        settings.ACCORDANCE_WEBHOOK_HOSTS = [] if change == "off" else ["hooks.example.org"]

    # Neither what waits nor what ends later.
    score_all(NOW + WAITS[0])
    Submission.objects.update(state="received", finished_at=None)
    cancel = Submission.objects.get()
    cancel.scores.all().delete()
    cancel_submission(cancel, reason="a mistake", now=NOW)
    score_all(NOW + timedelta(days=1))
    assert receiver.received == []


def test_webhooks_of_other_teams_and_a_second_member(phase, team, receiver, secret):
    other = make_team(phase.challenge, "other")
    set_webhook(
        TeamWebhook, member=other.members.get(), url=f"{receiver.url}/other", site=SITE, actor=COMMAND_LINE, now=NOW
    )
    colleague = TeamMember.objects.create(
        team=team, challenge=phase.challenge, user=make_user("colleague"), joined_at=NOW
    )
    set_webhook(TeamWebhook, member=colleague, url=f"{receiver.url}/colleague", site=SITE, actor=COMMAND_LINE, now=NOW)
    submit(phase, team=team)
    score_all()

    assert sorted(path for _, path, _, _ in receiver.received) == ["/hook", "/hook/colleague"]


def test_a_new_webhook_takes_the_place_of_the_old_one(phase, team, receiver, secret):
    submit(phase, team=team)
    score_all()
    again = set_webhook(
        TeamWebhook, member=team.members.get(), url=f"{receiver.url}/new", site=SITE, actor=COMMAND_LINE, now=NOW
    )

    webhook = TeamWebhook.objects.get()
    assert (again != secret, webhook.last_outcome, webhook.last_tried_at) == (True, "", None)
    with pytest.raises(WebhookRefused, match="does not allow"):
        set_webhook(
            TeamWebhook, member=team.members.get(), url="https://evil.example/", site=SITE, actor=COMMAND_LINE, now=NOW
        )
    assert TeamWebhook.objects.get().url == f"{receiver.url}/new"


def test_a_lost_key_is_said(phase, team, receiver, secret, settings):
    settings.SECRET_KEY = "another"
    submit(phase, team=team)
    score_all()

    assert receiver.received == []
    assert "neither SECRET_KEY nor" in TeamWebhook.objects.get().last_outcome
