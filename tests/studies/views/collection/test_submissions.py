"""Tests of the page of submissions on a panel."""

from datetime import timedelta

import pytest

from studies.collection.arrival.raters import Participant, keep_identity
from studies.design.study_design import Panel
from studies.enums import Interface, PanelKind, RaterOutcome
from studies.models import AuditEntry, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/submissions/"


@pytest.fixture
def study(owner):
    """A study in which a participant of a panel finished without an answer."""
    study = make_open_study(panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"}))
    study.owner = owner
    study.save()
    identity = keep_identity(Participant(PanelKind.PROLIFIC, "zoe"), now=NOW)
    make_rater(study, identity_hash=identity)
    Submission.objects.create(
        study=study,
        identity_hash=identity,
        panel=PanelKind.PROLIFIC,
        session_id="session-1",
        started_at=NOW,
        ended_at=NOW + timedelta(minutes=3),
        outcome=RaterOutcome.FINISHED,
        code="DONE1",
    )
    return study


def test_each_submission_has_its_advice_and_names_nobody(researcher, study) -> None:
    page = researcher.get(PAGE).content.decode()

    assert "1 submission without any judgment: do not approve it." in page
    assert "<td>AWAITING REVIEW</td>" in page
    assert "zoe" not in page
    assert "DONE1" not in page


def test_file_names_participants_and_is_written_down(researcher, study) -> None:
    sent = researcher.post(f"{PAGE}decisions.csv")

    header, row = sent.content.decode().splitlines()
    assert header == "participant,session,expected,code,judgments,minutes,advice,why"
    assert row.startswith("zoe,session-1,AWAITING REVIEW,DONE1,0,3.0,")
    entry = AuditEntry.objects.exclude(action="opened").get()
    assert (entry.action, entry.interface, entry.details) == (
        "names_exported",
        Interface.PAGE,
        {"people": 1, "command": "panel_report"},
    )


def test_study_without_a_panel_says_so(researcher, owner) -> None:
    study = make_open_study()
    study.owner = owner
    study.save()

    assert "No rater has come from a panel yet." in researcher.get(PAGE).content.decode()
