from datetime import timedelta

import pytest
from django.test import override_settings

from jobs.models import Job
from jobs.registry import register, unregister
from jobs.requests import queue_once
from jobs.worker.claiming import NO_WORKER, claim_here, claim_job
from jobs.worker.running import run_job
from studies.analysis import cached_results
from studies.analysis.cached_results import (
    KEEP_FACTOR,
    PATIENCE,
    CachedValue,
    StudyInputs,
    ValueRequest,
    find_cached,
    make_kind,
    refresh_cached,
)
from studies.enums import StudyState
from studies.models import Study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(monkeypatch):
    """A study of which every page leaves what takes long to a worker."""
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    return make_rated_study(score=False)


class Maker:
    """Counts how often it was asked to make; what it makes is how often it has."""

    def __init__(self, study):
        self.study, self.n_made, self.name = study, 0, "name"
        self.kind = register(make_kind("a-test", title="A test", lane="tests", work=self._work))

    @property
    def n_asked(self):
        return Job.objects.filter(kind=self.kind.name).count()

    def make(self):
        self.n_made += 1
        return f"value {self.n_made}"

    def want(self):
        # What a worker makes is of this very object too.
        return ValueRequest(self.name, StudyInputs(self.study), lambda: self.make(), {"study": self.study.pk})

    def find(self, *, seconds=0.0, **options):
        return find_cached(self.kind, self.want(), now=NOW + timedelta(seconds=seconds), **options)

    def claim(self, *, seconds=0.0):
        return claim_job("tests", now=NOW + timedelta(seconds=seconds))

    def work(self, *, seconds=0.0):
        """Do as a worker what was asked for, or what somebody would ask for now."""
        self.find(seconds=seconds)
        run_job(self.claim(seconds=seconds), now=lambda: NOW + timedelta(seconds=seconds))

    def _work(self, handle, _study):
        refresh_cached(self.want(), now=handle.now())


@pytest.fixture
def maker(study):
    made = Maker(study)
    yield made
    unregister(made.kind)


def judge_once_more(study):
    make_judgment(list_items(study)[0], make_rater(study, "late"), 2.0)


def test_a_worker_is_asked_once_however_often_pages_ask(maker):
    answers = [maker.find(seconds=second) for second in range(3)]

    assert answers == [CachedValue(None, is_pending=True)] * 3
    assert (maker.n_made, maker.n_asked) == (0, 1)


def test_what_a_worker_made_is_of_now_until_judgments_come(study, maker):
    maker.work()
    before = maker.find(seconds=3600)
    judge_once_more(study)

    after = maker.find(seconds=7200)

    assert before == CachedValue("value 1")
    assert after == CachedValue("value 1", as_of=NOW, is_pending=True)
    # The first one was answered.
    assert maker.n_asked == 2


def test_a_worker_makes_nothing_twice_of_the_same_judgments(maker):
    maker.work()
    queue_once(maker.kind, key=maker.want().job_key, payload=maker.want().payload, now=NOW)
    run_job(maker.claim(), now=lambda: NOW)

    assert maker.n_made == 1


def test_what_must_be_made_once_is_asked_for_once_whatever_the_cache_does(maker):
    with override_settings(CACHES={"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}):
        answers = [maker.find() for _ in range(3)]

    assert answers == [CachedValue(None, is_pending=True)] * 3
    assert maker.n_asked == 1


def test_without_workers_only_one_of_two_requests_computes(maker):
    """Of two pages that find nobody at work at the same time, the second sees that the first is at it."""
    late = NO_WORKER.total_seconds() + 1
    maker.find()
    seen = []

    def make():
        seen.append(maker.find(seconds=late, is_poll=True))
        return "made"

    maker.make = make

    assert maker.find(seconds=late, is_poll=True) == CachedValue("made")
    assert seen == [CachedValue(None, is_pending=True)]
    assert maker.n_asked == 1


def test_few_judgments_are_computed_from_at_once(study, maker, monkeypatch):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 36)

    found = maker.find()
    judge_once_more(study)
    # 37 judgments are one too many.
    left = maker.find()

    assert found == CachedValue("value 1")
    assert left == CachedValue("value 1", as_of=NOW, is_pending=True)


def test_waiting_requests_get_current_values(study, maker):
    maker.work()
    judge_once_more(study)

    assert maker.find(wait=True) == CachedValue("value 2")
    assert maker.find() == CachedValue("value 2")


def test_what_took_long_of_an_open_study_is_kept_for_a_while(study, maker):
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    study.refresh_from_db()
    ticks = iter((0.0, 3.0))
    maker.find(wait=True, clock=lambda: next(ticks))
    judge_once_more(study)

    early, late = maker.find(seconds=3 * KEEP_FACTOR - 0.1), maker.find(seconds=3 * KEEP_FACTOR)

    assert early == CachedValue("value 1", as_of=NOW)
    assert late == CachedValue("value 1", as_of=NOW, is_pending=True)


def test_only_polling_requests_compute_without_workers(maker):
    late = NO_WORKER.total_seconds() + 1
    maker.find()

    assert maker.find(seconds=late - 2, is_poll=True) == CachedValue(None, is_pending=True)
    assert maker.find(seconds=late) == CachedValue(None, is_pending=True)
    assert maker.find(seconds=late, is_poll=True) == CachedValue("value 1")


def test_polling_requests_give_workers_time_first(maker):
    maker.find()
    maker.claim()

    assert maker.find(seconds=300, is_poll=True) == CachedValue(None, is_pending=True)


def test_polling_requests_give_busy_workers_time_first(study, maker):
    """A job of another study is being worked on, so the next one's turn will come."""
    late = NO_WORKER.total_seconds() + 1
    maker.find()
    queue_once(maker.kind, key="another", payload={"study": study.pk}, now=NOW)
    busy = claim_here(maker.kind, key="another", now=NOW)
    Job.objects.filter(pk=busy.pk).update(heartbeat=NOW + timedelta(seconds=late))

    assert maker.find(seconds=late, is_poll=True) == CachedValue(None, is_pending=True)


def test_what_failed_is_told_and_not_tried_again_of_the_same_judgments(study, maker):
    def fail():
        raise ZeroDivisionError

    maker.make = fail
    maker.work()
    failed, later = maker.find(), maker.find(seconds=PATIENCE.total_seconds())
    run_job(maker.claim(seconds=1000), now=lambda: NOW)
    judge_once_more(study)

    assert failed == CachedValue(None, has_failed=True)
    assert later == CachedValue(None, is_pending=True)
    assert maker.find() == CachedValue(None, is_pending=True)


def test_one_job_waits_for_a_value_whatever_changes_meanwhile(study, maker):
    maker.find()
    maker.name = "another-setting"
    judge_once_more(study)

    waiting = maker.find()
    run_job(maker.claim(), now=lambda: NOW)

    assert waiting == CachedValue(None, is_pending=True)
    assert maker.find() == CachedValue("value 1")
    assert (maker.n_made, maker.n_asked) == (1, 1)


def test_what_failed_is_tried_again_with_another_setting(maker):
    def fail():
        raise ZeroDivisionError

    maker.make = fail
    maker.work()
    maker.name = "another-setting"

    assert maker.find() == CachedValue(None, is_pending=True)


def test_inputs_of_cached_results_are_queried_once(study, django_assert_num_queries):
    inputs = StudyInputs(study)

    with django_assert_num_queries(8):
        facts = [(inputs.setting, inputs.judgments, inputs.is_small) for _ in range(3)]

    assert len(set(facts)) == 1
