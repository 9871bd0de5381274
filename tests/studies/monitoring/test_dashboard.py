"""Tests of what waits for a person across studies."""

import pytest

from studies.design.study_lists import summarize_studies
from studies.enums import MemberRole, RequestState
from studies.models import FrozenReport, ScoringRequest, Study
from studies.monitoring.dashboard import MOST, add_last_runs, list_waiting
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_member, make_rater, make_study, make_user
from tests.studies.collection.assignment.staged import work
from tests.studies.people import make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("owner")


def make_run(study, state):
    finished = NOW if state in (RequestState.FAILED, RequestState.FINISHED) else None
    return ScoringRequest.objects.create(study=study, state=state, requested_at=NOW, finished_at=finished)


def tell(user):
    return [(each.study.name, each.what, each.page) for each in list_waiting(user)]


def test_draft_waits_for_those_who_may_change_it(owner):
    study = make_study(owner=owner)
    people = make_people(study)

    told = ("study", "Draft: complete the design and open the study", "/studies/study/design/")
    assert {name: told in tell(people[name]) for name in ("owner", "editor", "analyst", "viewer", "superuser")} == {
        "owner": True,
        "editor": True,
        "analyst": False,
        "viewer": False,
        "superuser": False,
    }


def test_nothing_of_an_archived_study_waits(owner):
    study = make_study(owner=owner)
    make_run(study, RequestState.FAILED)
    assert len(tell(owner)) == 2
    Study.objects.update(archived_at=NOW)

    assert tell(owner) == []


def test_filled_study_waits_to_be_closed(owner):
    study = make_open_study(n_tasks=1, raters_per_task=2)
    Study.objects.filter(pk=study.pk).update(owner=owner)
    work(make_rater(study, "first"), 1.0)
    assert tell(owner) == []
    work(make_rater(study, "second"), 1.0)

    assert tell(owner) == [("study", "All tasks are done: close the study", "/studies/study/")]


def test_failed_run_waits_until_there_is_a_newer_one(owner):
    study = make_study(owner=owner, state="closed")
    analyst = make_user("analyst")
    make_member(study, analyst, MemberRole.ANALYST)
    failed = make_run(study, RequestState.FAILED)
    told = [("study", "The last run of metrics failed", f"/studies/study/runs/{failed.pk}/")]
    assert tell(owner) == tell(analyst) == told
    make_run(study, RequestState.FINISHED)

    assert tell(owner) == []


def test_stale_report_waits_until_there_is_a_newer_one(owner):
    study = make_study(owner=owner, state="closed")
    stale = {"stale_since": NOW, "stale_reason": "a rater withdrew"}
    for number in (1, 2):
        FrozenReport.objects.create(
            study=study, number=number, content="{}", digest=str(number), made_at=NOW, **(stale if number == 1 else {})
        )
        expected = [("study", "Report 1 is stale: create a new one", "/studies/study/reports/1/")]
        assert tell(owner) == (expected if number == 1 else [])


def test_number_of_queries_is_fixed_and_the_list_is_short(owner, django_assert_num_queries):
    for number in range(MOST + 2):
        make_study(f"study-{number}", owner=owner)

    with django_assert_num_queries(4):
        found = list_waiting(owner)

    assert len(found) == MOST


def test_list_of_studies_has_their_newest_runs(owner):
    study, other = make_study(owner=owner), make_study("other", owner=owner)
    make_run(study, RequestState.FAILED)
    newest = make_run(study, RequestState.QUEUED)

    first, second = add_last_runs(summarize_studies([study, other]))

    assert (first.last_run, second.last_run) == (newest, None)
