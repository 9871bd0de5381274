from datetime import timedelta

import pytest

from studies.design.study_lists import StudyProgress, StudySummary, summarize_studies
from studies.enums import AssignmentState
from studies.models import Assignment
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items

LATER = NOW + timedelta(hours=1)


def _lease(study, task, rater, *, state):
    return Assignment.objects.create(
        study=study,
        task=task,
        slot=task.slots.first(),
        rater=rater,
        version=study.versions.latest("number"),
        state=state,
        shown={},
        leased_at=NOW,
        expires_at=LATER,
        submitted_at=NOW if state == AssignmentState.SUBMITTED else None,
    )


@pytest.mark.django_db
def test_summarize_studies():
    judged, untouched = make_open_study("judged", n_tasks=3, raters_per_task=2), make_study("untouched")
    rater = make_rater(judged)
    first, second, third = judged.tasks.all()
    _lease(judged, first, rater, state=AssignmentState.SUBMITTED)
    _lease(judged, second, rater, state=AssignmentState.LEASED)
    _lease(judged, third, rater, state=AssignmentState.RETURNED)
    make_judgment(list_items(judged)[1], rater, created_at=LATER)
    make_judgment(list_items(judged)[0], rater)

    assert summarize_studies([untouched, judged]) == (
        StudySummary(untouched, StudyProgress(filled=0, planned=0), n_judgments=0, last_judgment=None),
        StudySummary(judged, StudyProgress(filled=1, planned=6), n_judgments=2, last_judgment=LATER),
    )


@pytest.mark.django_db
@pytest.mark.parametrize("n_studies", [1, 3])
def test_summarize_studies_takes_four_queries(n_studies, django_assert_num_queries):
    studies = [make_open_study(f"study-{number}") for number in range(n_studies)]

    with django_assert_num_queries(4):
        summaries = summarize_studies(studies)

    assert [summary.study.name for summary in summaries] == [study.name for study in studies]


@pytest.mark.parametrize(("filled", "planned", "percent"), [(0, 0, 0), (0, 3, 0), (2, 3, 66), (3, 3, 100)])
def test_progress_percent(filled, planned, percent):
    assert StudyProgress(filled=filled, planned=planned).percent == percent
