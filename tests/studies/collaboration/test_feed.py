"""Tests of the feed: the histories of all studies that a person may see, and of no other."""

import pytest

from studies.access.audit import COMMAND_LINE, record_change, record_event
from studies.collaboration.feed import list_feed
from studies.enums import AuditAction
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.people import make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    study = make_study(owner=make_user("owner"))
    people = make_people(study)
    for action in (AuditAction.OPENED, AuditAction.CLOSED):
        record_change(study, actor=COMMAND_LINE, action=action, now=NOW)
    return people


def test_feed_of_members_is_newest_first(people):
    for name in ("owner", "editor", "analyst"):
        assert [(each.action, each.study.name) for each in list_feed(people[name])] == [
            ("closed", "study"),
            ("opened", "study"),
        ]


@pytest.mark.parametrize("name", ["stranger", "colleague", "dismissed"])
def test_others_learn_nothing(people, name):
    assert not list_feed(people[name]).exists()


def test_log_ins_are_not_in_the_feed(people):
    record_event(actor=COMMAND_LINE, action=AuditAction.LOGGED_IN, now=NOW)

    assert list_feed(people["superuser"]).count() == 2
