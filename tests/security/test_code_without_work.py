"""Attack: get paid without working, by arriving when all tasks are taken, or by coming twice."""

import pytest

from tests.security.raters import PanelRater, make_prolific

MAKE = """
from studies.design.study_design import Panel, Pay
from tests.factories.open_studies import make_open_study
codes = {{"finished": "DONE1", "left": "LEFT1", "no_tasks": "NONE1"}}
panel = Panel(kind="prolific", codes=codes)
print(make_open_study({name!r}, panel=panel, pay=Pay(reward=1.0), **{design!r}).join_token)
"""
PAGE = "https://app.prolific.com/submissions/complete?cc="


@pytest.fixture
def open_study(served_site):
    """Make an open study of Prolific's in the served site and return the token of its link."""

    def make(name, **design):
        return served_site.call(MAKE.format(name=name, design=design))[0]

    return make


def _advise(site, name):
    """Return the advice of the report by outcome."""
    lines = site.manage("panel_report", name).splitlines()
    return {line.split()[1]: line for line in lines[1:] if len(line.split()) > 6}


def test_nobody_gets_the_code_of_finished_work_while_others_hold_the_tasks(served_site, open_study):
    token = open_study("held", n_tasks=1)
    holder, late = PanelRater(served_site, token), PanelRater(served_site, token)
    holder.join(make_prolific("5f", session="s1"))
    task = holder.open("task")

    late.join(make_prolific("6a", session="s2"))
    end = late.open("task")

    assert "/thanks/" in end.address
    assert PAGE + "NONE1" in end.text
    assert "DONE1" not in end.text
    rows = _advise(served_site, "held")
    assert "request a return" in rows["no_tasks"]
    assert " approve " not in rows["no_tasks"]
    assert "WITHOUT ANY JUDGMENT: 1" in served_site.manage("panel_report", "held")
    assert PAGE + "DONE1" in holder.answer(task).text


def test_one_answer_is_not_paid_like_a_session(served_site, open_study):
    token = open_study("short", n_tasks=2, tasks_per_rater=2)
    holder, quick = PanelRater(served_site, token), PanelRater(served_site, token)
    holder.join(make_prolific("5f", session="s1"))
    holder.open("task")
    quick.join(make_prolific("6a", session="s2"))

    end = quick.answer(quick.open("task"))

    assert "/thanks/" in end.address
    assert PAGE + "LEFT1" in end.text
    assert "DONE1" not in end.text
    assert "pay for the work" in _advise(served_site, "short")["cut_short"]


def test_a_second_visit_without_an_answer_earns_nothing(served_site, open_study):
    token = open_study("again", n_tasks=1)
    rater = PanelRater(served_site, token)
    rater.join(make_prolific("5f", session="s1"))
    assert PAGE + "DONE1" in rater.answer(rater.open("task")).text

    again = rater.arrive(make_prolific("5f", session="s2"))
    end = rater.open("thanks")

    assert again.status == 200
    assert PAGE + "NONE1" in end.text
    assert "DONE1" not in end.text


def test_a_study_that_closes_pays_nobody_who_did_nothing(served_site, open_study):
    token = open_study("closing", n_tasks=1)
    rater = PanelRater(served_site, token)
    rater.join(make_prolific("5f", session="s1"))
    rater.open("task")
    served_site.manage("set_state", "closing", "closed")

    assert PAGE + "NONE1" in rater.open("task").text
