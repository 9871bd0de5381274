"""Tests of mails: to confirmed addresses, while they are wanted, tried again, and not to those who left."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.access.audit import Actor
from studies.collaboration.mailing import choose_mail, queue_mails, wants_mail
from studies.collaboration.notifications import list_people
from studies.enums import Interface
from studies.models import StudyMember
from studies.webhooks.delivering import WAITS
from tests.factories.studies import NOW, make_member, make_study, make_user
from tests.studies.collaboration.notified import SITE, ask_for_mail, read_mails

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _has_mail(settings):
    settings.HAS_MAIL = True


@pytest.fixture
def member():
    return make_user("member")


@pytest.fixture
def study(member):
    study = make_study(title="Two\nlines", owner=make_user())
    make_member(study, member)
    ask_for_mail(member)
    return study


def queue(study, *, now=NOW):
    queue_mails(list_people(study), study, subject="it is done", key="x", page="/studies/study/", now=now)


def test_mail_says_what_happened_where_and_how_to_stop(study):
    queue(study)

    assert read_mails() == [("member@example.org", "[Accordance] Two lines: it is done")]
    assert mail.outbox[0].body.splitlines()[-4:] == [
        "https://site.example/studies/study/",
        "",
        "You get this mail because you turned mails on. Turn them off at",
        "https://site.example/account/notifications/",
    ]


@pytest.mark.parametrize("change", ["unconfirmed", "turned off", "closed", "left", "no mail"])
def test_mail_that_waits_is_sent_only_to_those_who_may_and_want_to_read_it(study, member, settings, change):
    queue(study)
    if change == "unconfirmed":
        EmailAddress.objects.update(verified=False)
    elif change == "turned off":
        choose_mail(wants=False, site=SITE, actor=Actor(member, Interface.PAGE), now=NOW)
    elif change == "closed":
        member.is_active = False
        member.save()
    elif change == "left":
        StudyMember.objects.all().delete()
    else:
        settings.HAS_MAIL = False

    assert read_mails() == []
    assert Job.objects.get().state == "failed"


def test_mail_is_queued_once_while_it_waits(study):
    queue(study)
    queue(study)

    assert len(read_mails()) == 1


def test_mail_server_that_fails_is_asked_again(study, monkeypatch):
    def refuse(*_):
        raise ConnectionRefusedError("no mail server")

    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", refuse)
        queue(study)
        assert read_mails() == []
    run_waiting_jobs(now=lambda: NOW + WAITS[0] - timedelta(seconds=1))
    assert mail.outbox == []
    run_waiting_jobs(now=lambda: NOW + WAITS[0])

    assert len(mail.outbox) == 1


def test_mails_are_off_by_default(study, member):
    assert (wants_mail(study.owner), wants_mail(member)) == (False, True)
