"""Tests of the list of submissions, with the state that the panel should show for each."""

import csv
from datetime import timedelta

import pytest
from django.core.management import call_command

from studies.collection.arrival.arrivals import Arrival, end_submission, record_arrival
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome, TaskRole
from studies.models import Identity, Item
from studies.monitoring.submissions import APPROVE, LOOK_AT, PAY_WORK, RETURN, WAIT, report_submissions
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
PROLIFIC, GENERIC = PanelKind.PROLIFIC, PanelKind.GENERIC


def _come(study, name, *, outcome="", code="", minutes=5, panel=PROLIFIC):
    participant = Participant(panel, f"id of {name}")
    identity_hash = list_identity_hashes(participant)[0]
    Identity.objects.create(
        identity_hash=identity_hash, panel=panel, participant_id=participant.participant_id, created_at=NOW
    )
    rater = make_rater(study, name, identity_hash=identity_hash)
    submission = record_arrival(rater, Arrival(panel, participant, session_id=f"visit of {name}"), now=NOW)
    if outcome:
        end_submission(submission, outcome=outcome, code=code, now=NOW + timedelta(minutes=minutes))
    return rater


def _make_study(kind=PROLIFIC):
    study = make_designed_study(n_tasks=3, panel=Panel(kind=kind))
    study.tasks.exclude(position=0).update(role=TaskRole.ATTENTION)
    Item.objects.filter(task__role=TaskRole.ATTENTION).update(expected=[4.0])
    return study


def _judge(study, *raters):
    for rater in raters:
        make_judgment(Item.objects.filter(task__study=study).first(), rater, 4.0)


def test_every_submission_has_its_state_and_advice():
    study = _make_study()
    good = _come(study, "A-good", outcome=RaterOutcome.FINISHED, code="DONE1", minutes=12.5)
    bad = _come(study, "B-bad", outcome=RaterOutcome.FINISHED, code="DONE1")
    left = _come(study, "C-left", outcome=RaterOutcome.LEFT, code="LEFT1")
    out = _come(study, "D-out", outcome=RaterOutcome.NOT_QUALIFIED, code="OUT1")
    uncoded = _come(study, "E-uncoded", outcome=RaterOutcome.NOT_QUALIFIED)
    _come(study, "F-working")
    cut = _come(study, "G-cut", outcome=RaterOutcome.CUT_SHORT, code="LEFT1")
    for number, outcome in enumerate((RaterOutcome.FINISHED, RaterOutcome.LEFT, RaterOutcome.NO_TASKS)):
        _come(study, f"H{number}-empty", outcome=outcome, code="X1")
    _judge(study, left, out, uncoded, cut)
    for item in Item.objects.filter(task__study=study):
        make_judgment(item, good, 4.0)
        make_judgment(item, bad, 1.0)

    report = report_submissions(study)

    rows = [(row.rater, row.expected, row.code, row.n_judgments, row.minutes, row.advice) for row in report.rows]
    assert rows == [
        ("A-good", "AWAITING REVIEW", "DONE1", 3, 12.5, APPROVE),
        ("B-bad", "AWAITING REVIEW", "DONE1", 3, 5, LOOK_AT),
        ("C-left", "AWAITING REVIEW", "LEFT1", 1, 5, PAY_WORK),
        ("D-out", "SCREENED OUT", "OUT1", 1, 5, APPROVE),
        ("E-uncoded", "RETURNED", "", 1, 5, RETURN),
        ("F-working", "ACTIVE or TIMED-OUT", "", 0, None, WAIT),
        ("G-cut", "AWAITING REVIEW", "LEFT1", 1, 5, PAY_WORK),
        # Whatever the outcome and the code: nothing was judged, so nothing is approved.
        ("H0-empty", "AWAITING REVIEW", "X1", 0, 5, RETURN),
        ("H1-empty", "AWAITING REVIEW", "X1", 0, 5, RETURN),
        ("H2-empty", "AWAITING REVIEW", "X1", 0, 5, RETURN),
    ]
    assert [row.rater for row in report.list_empty()] == ["H0-empty", "H1-empty", "H2-empty"]
    assert report.rows[1].why == "2 attention checks failed; the panel's policy allows rejection"
    assert report.count()["AWAITING REVIEW", APPROVE] == 1


def test_other_panels_know_two_states():
    study = _make_study(GENERIC)
    _judge(study, _come(study, "A", panel=GENERIC, outcome=RaterOutcome.FINISHED, code="X"))
    _come(study, "B", panel=GENERIC)

    assert [(row.expected, row.advice) for row in report_submissions(study).rows] == [
        ("submitted", APPROVE),
        ("in progress", WAIT),
    ]


def test_names_are_only_in_the_private_file(tmp_path, capsys):
    study = _make_study()
    _judge(study, _come(study, "B7", outcome=RaterOutcome.FINISHED, code="DONE1"))
    _come(study, "A2")
    file = tmp_path / "decisions.csv"

    call_command("panel_report", "study", identities=file)

    printed = capsys.readouterr().out
    assert "id of" not in printed
    assert "visit of" not in printed
    assert printed.splitlines()[1].split()[:2] == ["A2", "-"]
    assert printed.splitlines()[-1] == "AWAITING REVIEW, approve: 1"
    content = file.read_text(encoding="utf-8")
    rows = list(csv.DictReader(content.splitlines()))
    assert file.stat().st_mode & 0o777 == 0o600
    assert [(row["participant"], row["session"], row["advice"]) for row in rows] == [
        ("id of A2", "visit of A2", "wait"),
        ("id of B7", "visit of B7", "approve"),
    ]
    # Whoever has the list knows nobody's judgments by it.
    assert set(rows[0]) == {"participant", "session", "expected", "code", "judgments", "minutes", "advice", "why"}


def test_study_without_submissions_says_so(capsys):
    make_designed_study()

    call_command("panel_report", "study")

    assert capsys.readouterr().out == "study: no rater has come from a panel (link)\n"


def test_each_visit_counts_its_own_judgments():
    study = make_open_study(n_tasks=1, panel=Panel(kind=GENERIC, codes={"finished": "DONE1"}))
    rater = _come(study, "A", panel=GENERIC)
    work(rater, seconds=60)
    participant = Participant(GENERIC, "id of A")
    later = NOW + timedelta(hours=1)
    second = record_arrival(rater, Arrival(GENERIC, participant, session_id="second"), now=later)
    end_submission(second, outcome=RaterOutcome.FINISHED, code="DONE1", now=later)

    rows = report_submissions(study).rows

    assert sorted((row.n_judgments, row.advice) for row in rows) == [(0, RETURN), (1, WAIT)]
