from datetime import timedelta

import pytest

from studies.analysis import awaiting
from studies.analysis.awaiting import KEEP_FACTOR, NO_WORKER, Known, Moment, find_known, make_known
from studies.enums import StudyState
from studies.models import Study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(monkeypatch):
    """A study of which every page leaves what takes long to a worker."""
    monkeypatch.setattr(awaiting, "MOST_JUDGMENTS", 0)
    return make_rated_study(score=False)


class Maker:
    """Counts how often it was asked to make, and to have made; what it makes is how often it has."""

    def __init__(self, study):
        self.study, self.n_made, self.n_asked = study, 0, 0

    def make(self):
        self.n_made += 1
        return f"value {self.n_made}"

    def ask(self):
        self.n_asked += 1

    def find(self, *, seconds=0.0, **options):
        now, moment = NOW + timedelta(seconds=seconds), Moment(self.study)
        return find_known("name", moment=moment, now=now, make=self.make, ask=self.ask, **options)

    def work(self, *, seconds=0.0):
        make_known("name", moment=Moment(self.study), now=NOW + timedelta(seconds=seconds), make=self.make)


def judge_once_more(study):
    make_judgment(list_items(study)[0], make_rater(study, "late"), 2.0)


def test_a_worker_is_asked_once_however_often_pages_ask(study):
    maker = Maker(study)

    answers = [maker.find(seconds=second) for second in range(3)]

    assert answers == [Known(None, is_on_its_way=True)] * 3
    assert (maker.n_made, maker.n_asked) == (0, 1)


def test_what_a_worker_made_is_of_now_until_judgments_come(study):
    maker = Maker(study)
    maker.work()
    before = maker.find(seconds=3600)
    judge_once_more(study)

    after = maker.find(seconds=7200)

    assert before == Known("value 1")
    assert after == Known("value 1", as_of=NOW, is_on_its_way=True)
    assert maker.n_asked == 1


def test_a_worker_makes_nothing_twice_of_the_same_judgments(study):
    maker = Maker(study)

    maker.work()
    maker.work()

    assert maker.n_made == 1


def test_few_judgments_are_computed_from_at_once(study, monkeypatch):
    monkeypatch.setattr(awaiting, "MOST_JUDGMENTS", 36)
    maker = Maker(study)

    found = maker.find()
    judge_once_more(study)
    # 37 judgments are one too many.
    left = maker.find()

    assert found == Known("value 1")
    assert left == Known("value 1", as_of=NOW, is_on_its_way=True)


def test_who_waits_gets_what_is_of_now(study):
    maker = Maker(study)
    maker.work()
    judge_once_more(study)

    assert maker.find(wait=True) == Known("value 2")
    assert maker.find() == Known("value 2")


def test_what_took_long_of_an_open_study_is_kept_for_a_while(study):
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    study.refresh_from_db()
    maker = Maker(study)
    ticks = iter((0.0, 3.0))
    maker.find(wait=True, clock=lambda: next(ticks))
    judge_once_more(study)

    early, late = maker.find(seconds=3 * KEEP_FACTOR - 0.1), maker.find(seconds=3 * KEEP_FACTOR)

    assert early == Known("value 1", as_of=NOW)
    assert late == Known("value 1", as_of=NOW, is_on_its_way=True)


def test_only_who_polls_computes_where_nobody_works(study):
    maker, late = Maker(study), NO_WORKER.total_seconds() + 1
    maker.find()

    assert maker.find(seconds=late - 2, is_poll=True) == Known(None, is_on_its_way=True)
    assert maker.find(seconds=late) == Known(None, is_on_its_way=True)
    assert maker.find(seconds=late, is_poll=True) == Known("value 1")


def test_who_polls_leaves_a_worker_its_time(study):
    maker = Maker(study)
    maker.find()

    def look():
        seen.append(maker.find(seconds=300, is_poll=True))
        return "made"

    seen = []
    make_known("name", moment=Moment(study), now=NOW, make=look)

    assert seen == [Known(None, is_on_its_way=True)]


def test_what_failed_is_told_and_not_tried_again_of_the_same_judgments(study):
    maker = Maker(study)

    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        make_known("name", moment=Moment(study), now=NOW, make=fail)
    failed = maker.find()
    judge_once_more(study)

    assert failed == Known(None, has_failed=True)
    assert maker.find() == Known(None, is_on_its_way=True)


def test_moment_is_read_once(study, django_assert_num_queries):
    moment = Moment(study)

    with django_assert_num_queries(8):
        facts = [(moment.setting, moment.judgments, moment.is_small) for _ in range(3)]

    assert len(set(facts)) == 1
