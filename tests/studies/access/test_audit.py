"""Tests that every change of a study is recorded with its actor, and that rejected changes are not."""

import pytest

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.enums import AuditAction, Interface, TaskKind
from studies.models import AuditEntry, Study
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.publishing.exports import export_judgments
from studies.publishing.freezing import freeze_report
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db


def _list_entries():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "interface", "details"))


def test_opening_and_closing():
    study, actor = make_study(kind=TaskKind.PAIRWISE), Actor(make_user(), Interface.PAGE)

    open_study(study, now=NOW, actor=actor)
    close_study(study, now=NOW)

    assert _list_entries() == [("opened", "owner", "page", {"was": "draft"}), ("closed", "", "command", {})]


def test_refused_change_is_not_written_down():
    study = make_study(n_tasks=0)

    with pytest.raises(CannotChangeState):
        open_study(study, now=NOW)

    assert _list_entries() == []


def test_exclusion_report_and_export():
    study, actor = make_scored_study(), Actor(make_user(), Interface.API)
    rater = study.raters.get()

    kept = freeze_report(study, report_observations(gather_observations(study)), now=NOW, actor=actor)
    exclude_rater(rater, reason="too fast", now=NOW, rule="fastest_share", actor=actor)
    lift_exclusion(rater, now=NOW, actor=actor)
    lift_exclusion(rater, now=NOW, actor=actor)
    list(export_judgments(study, actor=actor, now=NOW))

    assert kept.made_by == actor.user
    assert _list_entries() == [
        ("reported", "owner", "api", {"report": 1, "sha256": kept.digest}),
        ("excluded", "owner", "api", {"rater": "rater-1", "rule": "fastest_share", "reason": "too fast"}),
        ("readmitted", "owner", "api", {"rater": "rater-1"}),
        ("exported", "owner", "api", {"file": "judgments.csv"}),
    ]


def test_names_stay_when_people_and_studies_go():
    study, user = make_study(), make_user("anna")
    record_change(study, actor=Actor(user, Interface.PAGE), action=AuditAction.RENAMED, now=NOW, details={"title": "A"})

    user.delete()
    Study.objects.all().delete()

    (entry,) = AuditEntry.objects.all()
    assert (entry.study, entry.study_name, entry.actor, entry.actor_name) == (None, "study", None, "anna")


def test_a_command_names_nobody():
    assert (COMMAND_LINE.user, COMMAND_LINE.name, COMMAND_LINE.interface) == (None, "", Interface.COMMAND)
