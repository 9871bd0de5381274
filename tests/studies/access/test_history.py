import csv

import pytest

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.access.history import describe_action, list_history, write_history
from studies.enums import AuditAction, Interface
from studies.models import AuditEntry
from tests.factories.studies import NOW, make_study, make_user

pytestmark = pytest.mark.django_db


def test_history_of_one_study_newest_first_and_as_a_file_oldest_first():
    study, other = make_study(), make_study("other")
    record_change(study, actor=COMMAND_LINE, action=AuditAction.CREATED, now=NOW, details={"kind": "rating"})
    record_change(other, actor=COMMAND_LINE, action=AuditAction.CREATED, now=NOW)
    record_change(study, actor=Actor(make_user("anna"), Interface.API), action=AuditAction.OPENED, now=NOW)

    assert [entry.action for entry in list_history(study)] == ["opened", "created"]
    assert list(csv.reader(write_history(study))) == [
        ["at", "actor", "interface", "action", "details"],
        ["2025-03-01T12:00:00+00:00", "", "command", "created", '{"kind":"rating"}'],
        ["2025-03-01T12:00:00+00:00", "anna", "api", "opened", "{}"],
    ]


def test_an_action_of_a_later_version_is_shown_as_it_was_written():
    assert describe_action(AuditEntry(action="opened")) == "Opened the study"
    assert describe_action(AuditEntry(action="teleported")) == "teleported"
