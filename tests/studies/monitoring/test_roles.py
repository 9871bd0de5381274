"""Tests that only main tasks are counted and exported."""

import csv

import pytest

from studies.analysis.items import list_items
from studies.design.study_facts import load_facts
from studies.design.study_lists import StudyProgress, summarize_studies
from studies.enums import TaskRole
from studies.monitoring.raters import list_raters, total_raters
from studies.publishing.exports import write_judgments
from tests.factories.studies import make_rater
from tests.studies.collection.assignment.staged import RIGHT, make_staged_study, work

pytestmark = pytest.mark.django_db


def test_training_and_checks_do_not_count():
    study = make_staged_study(training=2, main=3)
    rater = make_rater(study)
    work(rater, RIGHT, RIGHT, RIGHT)

    (summary,) = summarize_studies([study])
    facts = load_facts(study)

    assert (summary.progress, summary.n_judgments) == (StudyProgress(filled=1, planned=3), 1)
    assert (facts.n_tasks, facts.n_items) == (3, 3)
    assert {item.task.role for item in list_items(study)} == {TaskRole.MAIN}
    assert list_raters(study).get().n_judgments == 1
    assert [total.n_judgments for total in total_raters(study)] == [1]
    assert [row["task"] for row in csv.DictReader(write_judgments(study))] == [
        str(rater.judgments.get(item__task__role=TaskRole.MAIN).item.task.position)
    ]
