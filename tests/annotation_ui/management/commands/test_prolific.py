"""Tests of the settings of a study for Prolific."""

import re
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command

from studies.design.study_design import Checks, Panel, Pay
from studies.enums import PanelKind, RaterOutcome
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db
CODES = {RaterOutcome.FINISHED: "DONE1", RaterOutcome.NOT_QUALIFIED: "OUT1"}


def _print(capsys, **design):
    study = make_open_study(**{"n_tasks": 12, "panel": Panel(kind=PanelKind.PROLIFIC, codes=CODES), **design})
    call_command("prolific", "study", base_url="https://study.example.org/")
    return study, capsys.readouterr().out


def test_address_is_taken_once_prolific_has_filled_it_in(capsys):
    study, text = _print(capsys)

    (address,) = re.findall(r"https://\S+", text)
    assert address == (
        f"https://study.example.org/r/{study.join_token}/"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    filled = re.sub(r"\{\{%\w+%\}\}", "5f" * 12, address)
    assert Person(study).client.get(filled.replace("https://study.example.org", "")).status_code == 200
    assert urlsplit(address).netloc == "study.example.org"


def test_time_and_reward_follow_from_the_design(capsys):
    pay = Pay(currency="GBP", reward=1.0, hourly_wage=12.0)
    _, text = _print(capsys, task_seconds=30, pay=pay, tasks_per_session=6, tasks_per_rater=12, raters_per_task=4)

    # Six tasks of 30 seconds and a minute to read: 4 minutes at 12 an hour; 48 answers in sessions of six.
    assert "Estimated time: 4 minutes" in text
    assert "Reward: 0.80 GBP from the hourly wage and the estimated time; the design promises 1.00 GBP\n" in text
    assert "Places: 8 " in text
    assert "A rejection needs one failed check" in text


@pytest.mark.parametrize(
    ("eligibility", "lines"),
    [
        ("Adults\nin Ireland", "  Adults\n  in Ireland\n"),
        ("", "  unknown: the design does not set eligibility, which papers must report\n"),
    ],
)
def test_who_can_take_part_is_said(capsys, eligibility, lines):
    _, text = _print(capsys, eligibility=eligibility)

    assert f"Who can take part (choose: prescreeners)\n{lines}Before you publish" in text


def test_reward_below_the_wage_is_said(capsys):
    _, text = _print(capsys, task_seconds=60, pay=Pay(currency="GBP", reward=1.0, hourly_wage=12.0))

    assert "Estimated time: 13 minutes" in text
    assert (
        "Reward: 2.60 GBP from the hourly wage and the estimated time; the design promises 1.00 GBP, which is LOWER"
        in text
    )
    assert "two failed checks" in text


def test_every_outcome_has_its_code_and_action(capsys):
    _, text = _print(capsys, checks=Checks())

    assert "  finished: DONE1 -> approve automatically" in text
    assert "  not_qualified: OUT1 -> screen out" in text
    assert "  left: no code in the design; Prolific asks participants to return the submission" in text
    assert "unknown: the design does not set task_seconds" in text


def test_ends_without_work_are_never_approved_and_a_signed_address_is_asked_for(capsys):
    signed = Panel(kind=PanelKind.PROLIFIC, codes={**CODES, RaterOutcome.LEFT: "LEFT1"}, is_signed=True)
    _, text = _print(capsys, panel=signed)

    assert "  no_tasks: no code in the design; Prolific asks participants to return the submission" in text
    assert "  cut_short: LEFT1 -> review manually" in text
    assert "Turn on the secured external URL" in text


def test_study_of_another_panel_is_refused():
    make_open_study()

    with pytest.raises(CommandError, match="its design names the panel link, not prolific"):
        call_command("prolific", "study")
