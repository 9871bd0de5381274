"""Tests of leaving a study and of withdrawal."""

import pytest
from django.utils import timezone

from studies.collection.lifecycle import close_study
from studies.enums import RaterOutcome
from studies.models import Assignment, Judgment, Withdrawal
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db


def _start(study):
    rater = Person(study).join()
    rater.answer(rater.take_task(), "2")
    return rater


def _read(response):
    return response.content.decode()


def test_looking_at_the_page_changes_nothing() -> None:
    rater = _start(make_open_study())

    assert rater.get("leave").status_code == 200
    assert rater.get("leave-now").status_code == rater.get("withdraw").status_code == 405
    rater.rater.refresh_from_db()
    assert rater.rater.outcome == ""


def test_leaving_lets_answers_count_and_ends_the_part() -> None:
    rater = _start(make_open_study(n_tasks=3))
    rater.get("task")

    response = rater.post("leave-now")

    rater.rater.refresh_from_db()
    assert response.url == rater.address("thanks")
    assert (rater.rater.outcome, Judgment.objects.count()) == (RaterOutcome.LEFT, 1)
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["returned", "submitted"]
    assert "You have finished one task" in _read(rater.get("thanks"))
    assert rater.get("task").url == rater.address("thanks")


def test_withdrawing_asks_what_is_to_become_of_the_answers() -> None:
    rater = _start(make_open_study())

    response = rater.post_refused("withdraw")

    assert response.status_code == 200
    assert "Choose what happens to your answers." in _read(response)
    assert Withdrawal.objects.count() == 0


def test_error_of_the_withdrawal_form_is_shown_once() -> None:
    rater = _start(make_open_study())
    rater.post_refused("withdraw")

    assert "Choose what happens to your answers." not in _read(rater.get("leave"))


def test_refused_withdrawal_is_not_shown_to_another_rater() -> None:
    study = make_open_study(raters_per_task=2)
    rater, other = _start(study), _start(study)
    rater.post("withdraw", {"answers": "erase!"})
    other.client.cookies["refused"] = rater.client.cookies["refused"].value

    assert "erase!" not in _read(other.get("leave"))
    assert "erase!" in _read(rater.get("leave"))


def test_choice_too_long_for_a_cookie_is_refused_at_once() -> None:
    rater = _start(make_open_study())
    noise = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))

    assert rater.post("withdraw", {"answers": noise}).status_code == 422
    assert Withdrawal.objects.count() == 0


@pytest.mark.parametrize(("choice", "n_kept"), [("erase", 0), ("keep", 1)])
def test_receipt_is_shown_once_and_the_browser_forgets(choice, n_kept) -> None:
    study = make_open_study()
    rater = _start(study)

    response = rater.post("withdraw", {"answers": choice})

    assert Withdrawal.objects.get().receipt in _read(response)
    assert Judgment.objects.count() == n_kept
    assert response.cookies[f"rater-{study.pk}"].value == ""
    assert rater.get("task").url == rater.address("join")


def test_who_withdrew_in_another_window_is_told() -> None:
    rater = _start(make_open_study())
    other_window = Person(rater.study)
    other_window.client.cookies.update(rater.client.cookies)
    rater.post("withdraw", {"answers": "erase"})

    response = other_window.post("withdraw", {"answers": "erase"})

    assert "You have already withdrawn" in _read(response)
    assert Withdrawal.objects.count() == 1


def test_withdrawal_that_cannot_be_logged_erases_nothing_and_says_so(settings, tmp_path) -> None:
    settings.ACCORDANCE_ERASURES = str(tmp_path)
    rater = _start(make_open_study())

    response = rater.post("withdraw", {"answers": "erase"})

    assert (response.status_code, Withdrawal.objects.count(), Judgment.objects.count()) == (503, 0, 1)
    assert "so nothing was erased. Please try again later." in _read(response)


def test_closed_study_still_lets_people_withdraw() -> None:
    study = make_open_study()
    rater = _start(study)
    close_study(study, now=timezone.now())

    page = _read(rater.get("leave"))
    assert "Back to my task" not in page
    assert rater.address("leave-now") not in page
    assert "Receipt" in _read(rater.post("withdraw", {"answers": "erase"}))
    assert Judgment.objects.count() == 0


def test_stranger_is_sent_to_the_link() -> None:
    stranger = Person(make_open_study())

    assert {stranger.get("leave").url, stranger.post("withdraw").url, stranger.post("leave-now").url} == {
        stranger.address("join")
    }
