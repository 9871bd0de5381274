from datetime import timedelta

import pytest

from jobs.models import Job
from metrics_plugins.api.errors import UnknownMetric
from studies.enums import AuditAction, RequestState, TaskKind
from studies.models import AuditEntry, RequestedMetric, ScoringRequest, Study
from studies.scoring.metric_choices import set_parameters
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.requesting import (
    RequestRefused,
    cancel_request,
    list_scorable,
    list_training_studies,
    pause_request,
    request_scoring,
    resume_request,
)
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study
from tests.studies.scoring.requests.scored_here import begin


def ask(study, *metrics, actor, **options):
    return request_scoring(study, metrics=metrics, catalog=load_catalog(), actor=actor, now=NOW, **options)


def list_jobs():
    return list(Job.objects.order_by("pk").values_list("kind", "payload", "state"))


def test_a_run_is_kept_written_down_and_put_in_line(study, actor, owner):
    set_parameters(study, entry=load_catalog().get("cider-d"), params={"n": 3, "sigma": 6.0}, actor=actor, now=NOW)

    request = ask(study, "length", "cider-d", "length", actor=actor)

    assert (request.state, request.requested_by, request.requested_at) == (RequestState.QUEUED, owner, NOW)
    rows = RequestedMetric.objects.filter(request=request)
    assert [(row.metric, row.params, row.state) for row in rows] == [
        ("cider-d", {"n": 3}, "queued"),
        ("length", {}, "queued"),
    ]
    assert list_jobs() == [("score", {"run": request.pk}, "queued")]
    entry = AuditEntry.objects.get(action=AuditAction.SCORED)
    assert entry.details == {"run": request.pk, "metrics": {"cider-d": {"n": 3}, "length": {}}, "protocol": ""}
    assert (entry.actor, entry.study, entry.at) == (owner, study, NOW)


def test_what_cannot_be_scored_leaves_nothing(study, actor):
    for metrics, told in [
        ((), "choose at least one metric"),
        (("lsa",), "metric lsa: gives one score for each set, and segments are scored here"),
        (("chair-i", "length", "lsa"), "metric lsa: "),
    ]:
        with pytest.raises(RequestRefused, match=told):
            ask(study, *metrics, actor=actor)
    with pytest.raises(UnknownMetric, match="'lenght'; did you mean length"):
        ask(study, "lenght", actor=actor)

    assert (ScoringRequest.objects.count(), RequestedMetric.objects.count(), list_jobs()) == (0, 0, [])
    assert not AuditEntry.objects.filter(action=AuditAction.SCORED).exists()


@pytest.mark.parametrize("state", [RequestState.QUEUED, RequestState.RUNNING, RequestState.PAUSED])
def test_one_run_of_a_study_at_a_time(study, actor, state):
    ask(study, "length", actor=actor)
    ScoringRequest.objects.update(state=state)

    with pytest.raises(RequestRefused, match="a run of this study is under way"):
        ask(study, "length", actor=actor)

    assert ScoringRequest.objects.count() == 1


def test_own_protocol_alone(study, actor):
    assert ask(study, "length", actor=actor, own_protocol=True).protocol == study.protocol


def test_pause_resume_and_cancel(study, actor):
    request = ask(study, "length", actor=actor)
    begin(request, now=NOW)
    states = []

    for change in (pause_request, resume_request, pause_request, cancel_request):
        change(request, actor=actor, now=NOW + timedelta(minutes=1))
        states.append((request.state, [job[2] for job in list_jobs()]))

    assert states == [
        ("paused", ["cancelled"]),
        ("queued", ["cancelled", "queued"]),
        ("paused", ["cancelled", "cancelled"]),
        ("cancelled", ["cancelled", "cancelled"]),
    ]
    assert request.finished_at == NOW + timedelta(minutes=1)
    changes = AuditEntry.objects.filter(action=AuditAction.RUN_CHANGED).order_by("pk")
    assert [(each.details["was"], each.details["is"]) for each in changes] == [
        ("running", "paused"),
        ("paused", "queued"),
        ("queued", "paused"),
        ("paused", "cancelled"),
    ]


@pytest.mark.parametrize(
    ("state", "change", "told"),
    [
        (RequestState.PAUSED, pause_request, "the run is paused"),
        (RequestState.FINISHED, pause_request, "the run is finished"),
        (RequestState.RUNNING, resume_request, "the run is running"),
        (RequestState.CANCELLED, resume_request, "the run is cancelled"),
        (RequestState.FAILED, cancel_request, "the run is failed"),
    ],
)
def test_a_run_in_another_state_stays_as_it_is(study, actor, state, change, told):
    request = ask(study, "length", actor=actor)
    ScoringRequest.objects.update(state=state)

    with pytest.raises(RequestRefused, match=told):
        change(request, actor=actor, now=NOW)

    assert ScoringRequest.objects.get().state == state
    assert not AuditEntry.objects.filter(action=AuditAction.RUN_CHANGED).exists()


def test_scorable_are_metrics_of_the_level_that_find_what_they_read(study):
    names = {entry.info.id for entry in list_scorable(study, load_catalog())}

    assert {"length", "cider-d", "bleu-1"} <= names
    assert "lsa" not in names
    infos = [load_catalog().get(name).info for name in names]
    assert {info.level.value for info in infos} == {"segment"}
    assert not {"image"} & {each.value for info in infos for each in info.inputs}


def test_judgments_of_another_study_are_named_and_written_down(study, actor):
    other = make_scored_study("other", values=(1, 3), score=False)

    request = ask(study, "critic-judgments", actor=actor, judging=other)

    assert request.judging == other
    assert AuditEntry.objects.get(action=AuditAction.SCORED).details["judgments"] == "other"


def test_another_study_is_refused_where_nothing_can_be_learned_from_it(study, actor):
    other = make_scored_study("other", values=(1, 3), score=False)
    silent, pairs = make_study("silent"), make_study("pairs", kind=TaskKind.PAIRWISE)
    make_judgment(list_items(pairs)[0], make_rater(pairs), 1.0)
    for metric, judging, told in [
        ("length", other, "no metric of the run learns from judgments, and study other was named for that"),
        ("critic-judgments", silent, "study silent has no judgments yet"),
        ("critic-judgments", pairs, "study pairs has no judgments of single captions to learn from"),
    ]:
        with pytest.raises(RequestRefused, match=told):
            ask(study, metric, actor=actor, judging=judging)

    assert ScoringRequest.objects.count() == 0


def test_training_studies_are_the_other_studies_with_judgments_of_the_same_things(study):
    make_scored_study("other", values=(1, 3), score=False)
    make_study("silent")
    pairs, sets = make_study("pairs", kind=TaskKind.PAIRWISE), make_study("sets", kind=TaskKind.SET_RATING)
    for each in (pairs, sets):
        make_judgment(list_items(each)[0], make_rater(each), 1.0)

    def name_training_studies(of):
        return [each.name for each in list_training_studies(Study.objects.all(), of)]

    assert (name_training_studies(study), name_training_studies(sets), name_training_studies(pairs)) == (
        ["other"],
        [],
        ["other", "study"],
    )
    assert [each.name for each in list_training_studies(Study.objects.filter(name="study"), pairs)] == ["study"]


def test_a_run_beyond_the_quota_of_the_account_is_refused(study, actor, settings):
    settings.ACCORDANCE_ACCOUNT_JOBS = 1
    ask(make_scored_study("first", owner=actor.user, score=False), "length", actor=actor)

    with pytest.raises(RequestRefused, match="1 jobs of your account wait or run, and it may have 1"):
        ask(study, "length", actor=actor)

    assert (ScoringRequest.objects.count(), len(list_jobs())) == (1, 1)
