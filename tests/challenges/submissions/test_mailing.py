"""Tests of mails at the end of submissions: to members who want them, and without influence on scoring."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from challenges.models import Submission, TeamMember
from tests.challenges.challenges import make_team, score_all, submit
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _has_mail(settings):
    settings.HAS_MAIL = True


@pytest.fixture
def team(phase):
    """A team whose first member wants mail and has a confirmed address."""
    team = make_team(phase.challenge)
    member = team.members.get()
    TeamMember.objects.update(wants_mail=True)
    EmailAddress.objects.create(user=member.user, email="ada@example.org", verified=True, primary=True)
    return team


def score(phase, team, capture, **extra):
    with capture(execute=True):
        submission = submit(phase, team=team, **extra)
    with capture(execute=True):
        score_all()
    return submission


def test_a_member_is_told_how_a_submission_ended(phase, team, django_capture_on_commit_callbacks):
    score(phase, team, django_capture_on_commit_callbacks)
    score(phase, team, django_capture_on_commit_callbacks, content=b"[]")

    scored, failed = mail.outbox
    assert (scored.to, scored.subject) == (["ada@example.org"], "[Accordance] Captions: submission scored")
    assert "State: scored" in scored.body
    assert failed.subject == "[Accordance] Captions: submission failed"
    assert not any(f"{each.value:.3f}" in scored.body for each in Submission.objects.last().scores.all())


@pytest.mark.parametrize("change", ["unwanted", "unconfirmed", "closed", "no mail"])
def test_nobody_else_is_told(phase, team, settings, change, django_capture_on_commit_callbacks):
    colleague = make_user("colleague")
    TeamMember.objects.create(team=team, challenge=phase.challenge, user=colleague, joined_at=NOW)
    EmailAddress.objects.create(user=colleague, email="bob@example.org", verified=True, primary=True)
    first = team.members.order_by("pk").first()
    if change == "unwanted":
        TeamMember.objects.update(wants_mail=False)
    elif change == "unconfirmed":
        EmailAddress.objects.update(verified=False)
    elif change == "closed":
        first.user.is_active = False
        first.user.save()
    settings.HAS_MAIL = change != "no mail"

    score(phase, team, django_capture_on_commit_callbacks)

    assert mail.outbox == []


def test_a_mail_server_that_fails_changes_nothing(phase, team, monkeypatch, django_capture_on_commit_callbacks):
    def refuse(*_):
        raise ConnectionRefusedError("no mail server")

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    submission = score(phase, team, django_capture_on_commit_callbacks)

    submission.refresh_from_db()
    assert submission.state == "scored"
