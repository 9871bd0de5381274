"""Tests of the parameters that each panel sends and gets back."""

import pytest

from annotation_ui.channels import CHANNELS, Arrival, ArrivalRefused, PanelExit
from annotation_ui.channels.signing import sign_parameters
from studies.collection.arrival.invitations import invite
from studies.collection.arrival.raters import Participant
from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from studies.models import Study, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

PID, STUDY, SESSION = "5f" * 12, "60" * 12, "61" * 12
PROLIFIC = {"PROLIFIC_PID": PID, "STUDY_ID": STUDY, "SESSION_ID": SESSION}
AMT = {
    "assignmentId": "A1",
    "hitId": "H1",
    "workerId": "W1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}
CODES = {RaterOutcome.FINISHED: "DONE1", RaterOutcome.NOT_QUALIFIED: "SCREEN", RaterOutcome.DECLINED: "NOCONS"}


def _open(kind, **panel):
    return CHANNELS[kind](Panel(kind=kind, codes=CODES, **panel), study=Study())


def test_every_panel_has_a_channel() -> None:
    assert set(CHANNELS) == set(PanelKind)


def test_plain_links_do_not_identify_raters() -> None:
    channel = _open(PanelKind.LINK)

    assert not channel.needs_arrival
    assert channel.read_arrival(PROLIFIC | AMT) is None


def test_prolific_names_participant_study_and_session() -> None:
    assert _open(PanelKind.PROLIFIC).read_arrival(PROLIFIC) == Arrival(
        PanelKind.PROLIFIC,
        Participant(PanelKind.PROLIFIC, PID),
        session_id=SESSION,
        parameters={"STUDY_ID": STUDY},
    )


@pytest.mark.parametrize(
    "change",
    [
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"},
        {"PROLIFIC_PID": PID[:-1]},
        {"PROLIFIC_PID": PID.replace("f", "g")},
        {"PROLIFIC_PID": ""},
        {"STUDY_ID": "mine"},
        {"SESSION_ID": ""},
        {"SESSION_ID": "a" * 201},
        {"SESSION_ID": "a b"},
        {"SESSION_ID": "a\x00b"},
    ],
)
def test_prolific_refuses_what_it_never_sends(change) -> None:
    with pytest.raises(ArrivalRefused, match="open the study again from"):
        _open(PanelKind.PROLIFIC).read_arrival(PROLIFIC | change)


def test_prolific_without_any_parameter_is_nobody() -> None:
    assert _open(PanelKind.PROLIFIC).read_arrival({"utm": "x"}) is None


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(RaterOutcome.FINISHED, "DONE1"), (RaterOutcome.NOT_QUALIFIED, "SCREEN"), (RaterOutcome.DECLINED, "NOCONS")],
)
def test_prolific_is_told_what_happened_by_the_code(outcome, code) -> None:
    assert _open(PanelKind.PROLIFIC).make_exit(outcome, Submission()) == PanelExit(
        code=code, url=f"https://app.prolific.com/submissions/complete?cc={code}"
    )


def test_prolific_without_a_code_gets_no_link() -> None:
    assert _open(PanelKind.PROLIFIC).make_exit(RaterOutcome.LEFT, Submission()) == PanelExit()


def test_generic_panel_names_its_own_parameters() -> None:
    channel = _open(
        PanelKind.GENERIC,
        id_parameter="survey_code",
        session_parameter="visit",
        return_url="https://panel.example/done?code={code}",
    )

    arrival = channel.read_arrival({"survey_code": "7", "visit": "v9"})

    assert arrival == Arrival(PanelKind.GENERIC, Participant(PanelKind.GENERIC, "7"), session_id="v9")
    assert channel.make_exit(RaterOutcome.FINISHED, None).url == "https://panel.example/done?code=DONE1"
    assert channel.make_exit(RaterOutcome.LEFT, None) == PanelExit()
    assert channel.read_arrival({"visit": "v9"}) is None


def test_generic_panel_without_sessions_counts_one_visit_a_person() -> None:
    assert _open(PanelKind.GENERIC, id_parameter="id").read_arrival({"id": "7"}).session_id == "7"


@pytest.mark.django_db
def test_personal_link_is_good_for_its_study_only() -> None:
    study, other = make_open_study(), make_open_study("other")
    (invited,) = invite(study, ["zoe@example.org"], now=NOW)
    panel = Panel(kind=PanelKind.IN_HOUSE)

    arrival = CHANNELS[PanelKind.IN_HOUSE](panel, study=study).read_arrival({"invitation": invited.token})

    assert arrival.participant == Participant(PanelKind.IN_HOUSE, "zoe@example.org")
    with pytest.raises(ArrivalRefused, match="personal link is unknown"):
        CHANNELS[PanelKind.IN_HOUSE](panel, study=other).read_arrival({"invitation": invited.token})


def test_amt_preview_is_nobody() -> None:
    channel = _open(PanelKind.AMT)
    preview = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}

    assert channel.is_preview(preview)
    assert channel.read_arrival(preview) is None
    assert not channel.is_preview(AMT)


def test_amt_assignment_goes_back_by_a_form_with_its_own_name() -> None:
    channel = _open(PanelKind.AMT)
    arrival = channel.read_arrival(AMT)
    submission = Submission(session_id=arrival.session_id, parameters=arrival.parameters)

    panel_exit = channel.make_exit(RaterOutcome.FINISHED, submission)

    assert arrival.participant == Participant(PanelKind.AMT, "W1")
    assert panel_exit.post_to == "https://workersandbox.mturk.com/mturk/externalSubmit"
    assert panel_exit.fields == {"assignmentId": "A1", "outcome": "finished", "code": "DONE1"}


@pytest.mark.parametrize(
    "change",
    [
        {"turkSubmitTo": "https://evil.example"},
        {"turkSubmitTo": "https://www.mturk.com.evil.example"},
        {"turkSubmitTo": "https://www.mturk.com@evil.example"},
        {"turkSubmitTo": "http://www.mturk.com"},
        {"turkSubmitTo": "javascript:alert(1)"},
        {"workerId": ""},
        {"hitId": ""},
    ],
)
def test_amt_refuses_a_panel_that_nobody_named(change) -> None:
    with pytest.raises(ArrivalRefused):
        _open(PanelKind.AMT).read_arrival(AMT | change)


def test_what_was_cut_short_takes_the_code_of_who_left_and_no_task_none_of_work() -> None:
    channel = _open(PanelKind.GENERIC)
    left = CHANNELS[PanelKind.GENERIC](Panel(kind=PanelKind.GENERIC, codes={"left": "LEFT1"}), study=Study())

    assert left.make_exit(RaterOutcome.CUT_SHORT, None).code == "LEFT1"
    assert channel.make_exit(RaterOutcome.CUT_SHORT, None).code == ""
    assert channel.make_exit(RaterOutcome.NO_TASKS, None).code == ""


def test_amt_assignment_without_work_is_not_handed_in() -> None:
    submission = Submission(session_id="A1", parameters={"turkSubmitTo": "https://www.mturk.com"})

    assert _open(PanelKind.AMT).make_exit(RaterOutcome.NO_TASKS, submission) == PanelExit()


def test_prolific_that_signs_takes_in_nobody_without_its_token(settings, tmp_path) -> None:
    settings.ACCORDANCE_PROLIFIC_KEYS = str(tmp_path / "none.json")
    channel = _open(PanelKind.PROLIFIC, is_signed=True)

    for query in (PROLIFIC, PROLIFIC | {"prolific_token": "a.b.c"}):
        with pytest.raises(ArrivalRefused, match="was not signed by the panel"):
            channel.read_arrival(query)


def test_generic_panel_signs_the_visit_too() -> None:
    secret = "a secret of sixteen"
    ids = {"participant": "7", "visit": "9"}
    names = {"is_signed": True, "signing_secret": secret, "session_parameter": "visit", "signature_parameter": "sig"}
    channel = _open(PanelKind.GENERIC, **names)

    arrival = channel.read_arrival(ids | {"sig": sign_parameters(ids, secret=secret)})

    assert (arrival.is_proven, arrival.session_id) == (True, "9")
    for wrong in ({"visit": "8"}, {"sig": sign_parameters({"participant": "7"}, secret=secret)}, {"sig": ""}):
        with pytest.raises(ArrivalRefused, match="was not signed by the panel"):
            channel.read_arrival(ids | {"sig": sign_parameters(ids, secret=secret)} | wrong)
