"""Tests of the pages of training with feedback and of the qualification."""

import pytest

from studies.collection.lifecycle import open_study
from studies.design.study_design import Qualification
from studies.enums import RaterOutcome, TaskKind
from studies.models import Item
from tests.annotation_ui.people import Person
from tests.factories.studies import NOW
from tests.studies.collection.assignment.staged import make_staged_study

pytestmark = pytest.mark.django_db
RIGHT, WRONG = "4", "1"


def _read(response):
    return response.content.decode()


def test_training_answers_are_met_with_feedback() -> None:
    study = make_staged_study(training=2, main=1)
    rater = Person(study).join()
    assert "You start with 2 training tasks" in _read(rater.get("instructions"))
    assert "Training 1 of 2" in _read(rater.get("task"))

    task = rater.take_task()
    response = rater.answer(task, WRONG)
    page = _read(rater.get("feedback", pk=task.pk))

    assert response.url == rater.address("feedback", pk=task.pk)
    assert "Not quite" in page
    assert "Unrelated to the image" in page
    assert "Describes it without any mistake" in page
    assert "It shows no mistake." in page
    assert "Training 2 of 2" in _read(rater.get("task"))


def test_right_answer_is_praised_without_saying_what_was_expected() -> None:
    rater = Person(make_staged_study(training=1)).join()
    task = rater.take_task()
    rater.answer(task, RIGHT)

    page = _read(rater.get("feedback", pk=task.pk))

    assert "<h2>Right</h2>" in page
    assert "Expected" not in page


def test_feedback_names_the_caption_of_a_pair_whichever_side_it_was_on() -> None:
    study = make_staged_study(training=2, main=1, kind=TaskKind.PAIRWISE, is_open=False)
    Item.objects.filter(task__role="training").update(expected=[1.0])
    open_study(study, now=NOW)
    rater = Person(study).join()

    for _ in range(2):
        task = rater.take_task()
        item = task.task.items.get()
        rater.answer(task, "first" if task.shown[0]["captions"][0] == item.other_candidate_id else "second")
        page = _read(rater.get("feedback", pk=task.pk))

        assert f'<dd dir="auto">“{item.other_candidate.text}”</dd>' in page
        assert f'<dd dir="auto">“{item.candidate.text}”</dd>' in page
        assert "Not quite" in page


def test_no_feedback_before_an_answer_for_other_tasks_and_for_others() -> None:
    study = make_staged_study(training=1, main=1)
    rater, other = Person(study).join(), Person(study).join()
    training = rater.take_task()

    assert rater.get("feedback", pk=training.pk).url == rater.address("task")
    assert other.get("feedback", pk=training.pk).url == other.address("task")
    rater.answer(training, RIGHT)
    main = rater.take_task()
    rater.answer(main, RIGHT)
    assert rater.get("feedback", pk=main.pk).url == rater.address("task")


def test_failed_attempt_is_told_and_tried_again() -> None:
    study = make_staged_study(trial=2, main=1, qualification=Qualification(pass_share=1.0, attempts=2))
    rater = Person(study).join()
    assert "Qualification 1 of 2" in _read(rater.get("task"))
    for choice in (RIGHT, WRONG):
        response = rater.answer(rater.take_task(), choice)

    assert response.url == rater.address("qualification")
    page = _read(rater.get("qualification"))
    assert "1 of 2 answers were as expected, which is not enough." in page
    assert "attempt 2 of 2" in page
    assert "Try again" in _read(rater.get("instructions"))

    for _ in range(2):
        rater.answer(rater.take_task(), RIGHT)
    assert "You have qualified" in _read(rater.get("qualification"))
    assert "Task 1 of 1" in _read(rater.get("task"))


def test_last_failed_attempt_ends_the_part_kindly() -> None:
    study = make_staged_study(trial=1, main=1, qualification=Qualification(pass_share=1.0, attempts=2))
    rater = Person(study).join()
    for _ in range(2):
        rater.answer(rater.take_task(), WRONG)

    rater.rater.refresh_from_db()
    assert rater.rater.outcome == RaterOutcome.NOT_QUALIFIED
    assert rater.get("qualification").url == rater.address("task")
    assert rater.get("task").url == rater.address("thanks")
    assert "nothing is rejected" in _read(rater.get("thanks"))


def test_attempt_under_way_has_no_result_page() -> None:
    rater = Person(make_staged_study(trial=2, qualification=Qualification())).join()

    assert rater.get("qualification").url == rater.address("task")
    rater.answer(rater.take_task(), RIGHT)
    assert rater.get("qualification").url == rater.address("task")
