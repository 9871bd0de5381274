import pytest
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.design.study_design import Pay
from studies.models import Exclusion, StoppingLook, Study, StudyVersion
from studies.monitoring.stopping_rules import load_rule
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_member, make_rater, make_study, make_user
from tests.studies.pages import read
from tests.studies.rated import make_rated_study
from tests.studies.scoring.working import finish, work

PAGE = "/studies/rated/monitoring/"


def own(study, owner, *, rule=None):
    study.owner = owner
    study.save()
    if rule:
        version = StudyVersion.objects.get(study=study)
        version.design = {**version.design, "stopping_rule": rule}
        version.save()
    return study


def test_monitoring_shows_counts_at_once_and_the_rest_when_a_worker_was_there(researcher, owner):
    own(make_rated_study(), owner)

    early = read(researcher.get(PAGE))
    run_waiting_jobs(now=timezone.now)
    late = read(researcher.get(PAGE))

    assert "36 <small>of 12 planned</small>" in early
    assert "Waiting for a worker." in early
    assert "Waiting for a worker." not in late
    assert "Kendall τ-c, item level, with 95 % intervals" in late
    assert '<th scope="row">length</th>' in late
    assert "krippendorff-ordinal: <b>0." in late
    assert "The design sets neither a reward nor an hourly wage." in late
    assert "0 of 3 raters meet an exclusion criterion; 0 are excluded." in late


@pytest.mark.parametrize(
    ("seconds", "told"), [(300, ""), (20, "15 times the promised wage"), (900, "below the promised wage")]
)
def test_a_wage_far_from_the_promised_one_is_a_warning(researcher, owner, seconds, told):
    pay = Pay(currency="EUR", reward=1.0, hourly_wage=12.0)
    rater = make_rater(own(make_open_study("rated", n_tasks=1, pay=pay), owner))
    # One euro for five minutes is the promised wage.
    work(rater, seconds=seconds)
    finish(rater)

    page = read(researcher.get(f"{PAGE}?wait=1"))

    assert ("The median hourly wage is" in page) == bool(told)
    assert told in page


def test_monitoring_computes_in_the_request_without_workers(researcher, owner):
    own(make_rated_study(), owner)

    page = read(researcher.get(f"{PAGE}?wait=1"))

    assert "36 judgments." in page
    assert "being computed" not in page


def test_snapshot_of_these_judgments_is_not_made_again(researcher, owner):
    own(make_rated_study(), owner)
    researcher.get(f"{PAGE}?wait=1")

    assert "being computed" not in read(researcher.get(PAGE))


@pytest.mark.parametrize("n_items", [4, 12])
def test_monitoring_takes_a_fixed_number_of_queries(researcher, owner, n_items, django_assert_num_queries):
    study = own(make_rated_study(n_items=n_items), owner)
    researcher.get(f"{PAGE}?wait=1")

    # Session, user, study, the newest judgment: the counts are a moment old.
    with django_assert_num_queries(4):
        researcher.get(f"{PAGE}now/")
    assert study.pk


def test_moving_part_is_fetched_again_only_while_something_moves(researcher, owner):
    study = own(make_rated_study(), owner)
    researcher.get(f"{PAGE}?wait=1")
    still = read(researcher.get(f"{PAGE}now/"))
    Study.objects.filter(pk=study.pk).update(state="open", started_at=NOW)

    assert 'hx-trigger="every 10s"' not in still
    assert 'hx-get="/studies/rated/monitoring/now/" hx-trigger="every 10s"' in read(researcher.get(f"{PAGE}now/"))


def test_study_without_judgments_has_a_monitoring_page(researcher, owner):
    make_study("rated", owner=owner)

    page = read(researcher.get(f"{PAGE}?wait=1"))

    assert "No judgments yet." in page
    assert "There are no raters yet." in page


def test_look_is_taken_by_who_may_analyse(researcher, owner):
    own(make_rated_study(), owner, rule={"width": 0.001, "looks": 2, "max_judgments": 36})

    page = read(researcher.get(f"{PAGE}?wait=1"))
    answer = researcher.post(f"{PAGE}look/", follow=True)

    assert "The next interim look, 2 of 2, is due at 36 judgments; there are 36. <b>It is due now.</b>" in page
    assert "Look 2: stop." in read(answer)
    assert "<b>The stopping rule was met</b> at look 2." in read(answer)
    assert StoppingLook.objects.get().taken_by == owner
    assert "The interim look was not taken: the rule was met at look 2, so there are no further looks." in read(
        researcher.post(f"{PAGE}look/", follow=True)
    )


def test_viewer_sees_the_rule_and_takes_no_look(client, owner):
    study = own(make_rated_study(), owner, rule={"width": 0.001, "looks": 2, "max_judgments": 36})
    viewer = make_user("viewer")
    make_member(study, viewer)
    client.force_login(viewer)

    page = read(client.get(f"{PAGE}?wait=1"))

    assert "It is due now." in page
    assert "Take look" not in page
    assert client.post(f"{PAGE}look/").status_code == 403
    assert load_rule(study).looks == 2


def test_excluded_and_flagged_raters_are_counted(researcher, owner):
    study = own(make_rated_study(), owner)
    version = StudyVersion.objects.get(study=study)
    version.design = {**version.design, "exclusion_rules": {"agreement": 1.0}}
    version.save()
    Exclusion.objects.create(rater=study.raters.get(pseudonym="rater-0"), reason="By hand", decided_at=NOW)
    make_rater(study, "nobody")

    page = read(researcher.get(f"{PAGE}?wait=1"))

    assert "3 of 3 raters meet an exclusion criterion; 1 are excluded." in page
