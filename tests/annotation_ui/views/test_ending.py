"""Tests of pauses, sessions, continuing on another device, and correcting the last answer."""

import re

import pytest
from django.utils import timezone

from studies.collection.assignment import lease_task
from studies.collection.lifecycle import close_study
from studies.design.study_design import Panel, Pay
from studies.enums import PanelKind, RaterOutcome
from studies.models import Assignment, Judgment, JudgmentRevision, Rater, RaterEvent
from tests.annotation_ui.people import Person, fill_items
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_rater

pytestmark = pytest.mark.django_db


def _read(response):
    return response.content.decode()


def _work(person, n_tasks=1, choice="2"):
    for _ in range(n_tasks):
        person.answer(person.take_task(), choice)


def test_session_ends_with_a_break_and_goes_on_by_a_button() -> None:
    rater = Person(make_open_study(n_tasks=3, tasks_per_session=2)).join()
    _work(rater, 2)

    assert rater.get("task").url == rater.address("break")
    page = _read(rater.get("break"))
    assert "Session 1 is done" in page
    assert "2 tasks are finished" in page

    assert rater.post("begin").url == rater.address("task")
    assert "Task 3 of 3" in _read(rater.get("task"))
    assert Assignment.objects.latest("pk").session == 2


def test_no_break_before_its_time() -> None:
    rater = Person(make_open_study(n_tasks=3, tasks_per_session=2)).join()
    _work(rater)

    assert rater.get("break").url == rater.address("task")


def test_session_of_a_panel_ends_with_the_way_back() -> None:
    panel = Panel(
        kind=PanelKind.GENERIC,
        codes={RaterOutcome.FINISHED: "DONE1"},
        return_url="https://p.example/{code}",
        session_parameter="visit",
    )
    rater = Person(make_open_study(n_tasks=3, tasks_per_session=1, panel=panel))
    page = _read(rater.client.get(f"{rater.address('join')}?participant=7&visit=1"))
    arrival = re.search('name="arrival" value="([^"]*)"', page)[1]
    rater.post("join", {"agrees": "on", "arrival": arrival})
    rater.rater = Rater.objects.get()
    _work(rater)

    page = _read(rater.get("break"))

    assert 'href="https://p.example/DONE1"' in page
    assert "Start the next session" not in page
    rater.post("begin")
    assert Assignment.objects.count() == 1


def test_panel_that_knows_no_visits_lets_sessions_follow_by_a_button() -> None:
    panel = Panel(kind=PanelKind.GENERIC, codes={RaterOutcome.FINISHED: "DONE1"})
    rater = Person(make_open_study(n_tasks=2, tasks_per_session=1, panel=panel))
    page = _read(rater.client.get(f"{rater.address('join')}?participant=7"))
    rater.post("join", {"agrees": "on", "arrival": re.search('name="arrival" value="([^"]*)"', page)[1]})
    rater.rater = Rater.objects.get()
    _work(rater)

    assert "Start the next session" in _read(rater.get("break"))
    rater.post("begin")
    assert Assignment.objects.count() == 2


def test_thanks_come_at_the_end_only_with_the_debriefing() -> None:
    rater = Person(make_open_study(n_tasks=1, debriefing="It was about metrics.")).join()
    assert rater.get("thanks").url == rater.address("task")

    _work(rater)

    assert rater.get("task").url == rater.address("thanks")
    assert "It was about metrics." in _read(rater.get("thanks"))


def test_rater_goes_on_on_another_device_by_a_link() -> None:
    study = make_open_study(n_tasks=3)
    rater = Person(study).join()
    _work(rater)
    link = re.search("<code class=.link.>([^<]*)</code>", _read(rater.get("pause")))[1]
    phone = Person(study)

    phone.client.get(link)

    assert "Task 2 of 3" in _read(phone.get("task"))
    assert Rater.objects.count() == 1


def test_link_asks_before_it_takes_the_browser_from_another_rater() -> None:
    study = make_open_study(n_tasks=3)
    rater, other = Person(study).join(), Person(study).join()
    link = re.search("<code class=.link.>([^<]*)</code>", _read(rater.get("pause")))[1]
    before = other.client.cookies[f"rater-{study.pk}"].value

    asked = other.client.get(link)

    assert "Continue as somebody else?" in _read(asked)
    assert (asked.cookies.get(f"rater-{study.pk}"), other.client.cookies[f"rater-{study.pk}"].value) == (None, before)
    assert not RaterEvent.objects.exists()
    assert other.client.post(link).url == other.address("join")
    assert other.client.cookies[f"rater-{study.pk}"].value.partition(":")[0] == rater.rater.pseudonym
    # Who has the link of the browser's own rater is not asked.
    assert other.client.get(link).url == other.address("join")


@pytest.mark.parametrize(("code", "words"), [("NONE1", "go back below"), ("", "return the study on the panel")])
def test_who_finds_no_task_left_is_sent_back_without_the_code_of_finished_work(code, words) -> None:
    codes = {RaterOutcome.FINISHED: "DONE1", RaterOutcome.NO_TASKS: code}
    study = make_open_study(n_tasks=1, panel=Panel(kind=PanelKind.GENERIC, codes=codes))
    lease_task(make_rater(study, "other"), now=timezone.now())
    rater = Person(study)
    page = _read(rater.client.get(f"{rater.address('join')}?participant=7"))
    rater.post("join", {"agrees": "on", "arrival": re.search('name="arrival" value="([^"]*)"', page)[1]})

    page = _read(rater.client.get(rater.address("task"), follow=True))

    assert "try this link again" in page
    assert words in page
    assert code in page
    assert "DONE1" not in page


def test_link_is_good_for_its_study_and_unforged_only() -> None:
    study, other = make_open_study("one"), make_open_study("two")
    rater = Person(study).join()
    link = re.search("<code class=.link.>([^<]*)</code>", _read(rater.get("pause")))[1]
    moved = link.replace(study.join_token, other.join_token)

    assert Person(other).client.get(moved).status_code == 404
    assert Person(study).client.get(f"{link[:-3]}xx/").status_code == 404


def test_last_answer_is_corrected_and_its_history_kept() -> None:
    rater = Person(make_open_study(n_tasks=3)).join()
    _work(rater, choice="2")
    assert "Back to my last answer" in _read(rater.get("task"))
    last = Assignment.objects.get(state="submitted")
    page = _read(rater.get("last"))
    assert "This is your last answer" in page

    response = rater.post("correct", fill_items(last, "4"), pk=last.pk)

    assert response.url == rater.address("task")
    assert Judgment.objects.get().value == 4.0
    assert JudgmentRevision.objects.get().value == 2.0


def test_correction_needs_an_answer_and_an_own_task() -> None:
    study = make_open_study(n_tasks=3)
    rater, other = Person(study).join(), Person(study).join()
    _work(rater)
    last = Assignment.objects.get(state="submitted")

    assert "Choose one of the answers" in rater.post_refused("correct", {}, pk=last.pk).content.decode()
    assert other.post("correct", {}, pk=last.pk).status_code == 404
    assert Judgment.objects.get().value == 2.0


def test_nothing_to_correct_leads_to_the_task() -> None:
    rater = Person(make_open_study(n_tasks=2, may_correct=False)).join()

    assert rater.get("last").url == rater.address("task")
    _work(rater)
    assert rater.get("last").url == rater.address("task")
    assert "Back to my last answer" not in _read(rater.get("task"))


def test_correction_after_another_answer_is_refused_with_words() -> None:
    rater = Person(make_open_study(n_tasks=3)).join()
    _work(rater, 2)
    first = Assignment.objects.filter(state="submitted").earliest("pk")

    rater.post("correct", fill_items(first, "4"), pk=first.pk)

    assert "Only the last answer can be corrected" in _read(rater.get("task"))
    assert set(Judgment.objects.values_list("value", flat=True)) == {2.0}


def test_closed_study_takes_no_correction() -> None:
    study = make_open_study(n_tasks=3)
    rater = Person(study).join()
    _work(rater)
    close_study(study, now=timezone.now())

    assert "This study has ended" in _read(rater.get("last"))


def test_late_rater_of_a_complete_study_is_told_so_and_what_is_paid() -> None:
    study = make_open_study(n_tasks=1, pay=Pay(reward=2.0))
    first, late = Person(study).join(), Person(study).join()
    first.take_task()

    assert late.get("task").url == late.address("thanks")
    waiting = _read(late.get("thanks"))
    _work(first)
    complete = _read(late.get("thanks"))

    told = ("other people are working", "try this link again later", "This study is complete", "nothing is paid")
    assert [words in waiting for words in told] == [True, True, False, True]
    assert [words in complete for words in told] == [False, False, True, True]


def test_rater_whose_session_was_cut_short_by_a_complete_study_is_told_what_is_paid() -> None:
    study = make_open_study(n_tasks=2, tasks_per_rater=2, pay=Pay(reward=2.0))
    first, second = Person(study).join(), Person(study).join()
    _work(first)
    first.post("return", pk=first.take_task().pk)
    _work(second)

    assert second.get("task").url == second.address("thanks")
    page = _read(second.get("thanks"))

    assert "This study is complete" in page
    assert "You are paid for the part that you have done." in page
