"""Tests that the tasks of a started study are read once, and those of a draft each time."""

import pytest

from studies.collection.study_tasks import StudyTasks, TaskPlan, load_plan
from studies.enums import TaskRole
from studies.models import Candidate
from tests.factories.studies import make_rater
from tests.studies.collection.assignment.staged import make_staged_study

pytestmark = pytest.mark.django_db


def test_plan_of_a_started_study_is_read_once(django_assert_num_queries) -> None:
    study = make_staged_study(training=1, gold=1, main=3)
    training, gold = study.tasks.exclude(role=TaskRole.MAIN).order_by("position")
    plan = StudyTasks(
        n_main=3,
        apart=(TaskPlan(training.pk, 0, TaskRole.TRAINING), TaskPlan(gold.pk, 1, TaskRole.GOLD)),
        shows_written=False,
    )

    assert load_plan(study) == plan
    with django_assert_num_queries(0):
        assert load_plan(study) == plan


def test_plan_of_a_draft_is_as_it_is_now() -> None:
    study = make_staged_study(training=1, main=1, is_open=False)
    assert load_plan(study).n_main == 1

    study.tasks.update(role=TaskRole.MAIN)

    assert load_plan(study) == StudyTasks(n_main=2, apart=(), shows_written=False)


def test_captions_of_raters_are_noticed() -> None:
    study = make_staged_study(main=1, is_open=False)
    Candidate.objects.update(author=make_rater(study))

    assert load_plan(study).shows_written
