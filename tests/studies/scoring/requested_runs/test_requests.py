from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from jobs.models import Job
from jobs.worker.claiming import lose_job
from metrics_plugins.api.errors import UnknownMetric
from studies.enums import AuditAction, RequestState, TaskKind
from studies.models import AuditEntry, RequestedMetric, ScoringRequest, Study
from studies.scoring.metric_choices import set_parameters
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import (
    RequestRefused,
    cancel_request,
    list_scorable,
    list_training_studies,
    pause_request,
    request_scoring,
    resume_request,
)
from tests.factories.studies import NOW, make_judgment, make_rater, make_study, make_user
from tests.studies.scored import list_items, make_scored_study
from tests.studies.scoring.requested_runs.scored_here import begin


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
        (("lsa",), "metric lsa: computes one score per set, but segments are scored here"),
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

    with pytest.raises(RequestRefused, match="a run of this study is in progress"):
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
        ("length", other, "no metric of the run is fitted on judgments, but study other was given for that"),
        ("critic-judgments", silent, "study silent has no judgments yet"),
        ("critic-judgments", pairs, "study pairs has no judgments of single captions to fit on"),
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

    with pytest.raises(RequestRefused, match="1 jobs of your account are waiting or running, the maximum is 1"):
        ask(study, "length", actor=actor)

    assert (ScoringRequest.objects.count(), len(list_jobs())) == (1, 1)


def cancel_job_as(user):
    browser = Client()
    browser.force_login(user)
    return browser.post(f"/jobs/{Job.objects.get().token}/cancel/").status_code


def test_a_run_cancelled_by_the_fragment_of_its_job_is_in_the_audit_log(study, actor, owner):
    request = ask(study, "length", actor=actor)

    assert cancel_job_as(owner) == 302

    request.refresh_from_db()
    assert (request.state, [job[2] for job in list_jobs()]) == (RequestState.CANCELLED, ["cancelled"])
    entry = AuditEntry.objects.get(action=AuditAction.RUN_CHANGED)
    assert entry.details == {"run": request.pk, "was": "queued", "is": "cancelled"}
    assert (entry.actor, entry.interface, entry.study) == (owner, "page", study)


def test_whoever_requested_a_run_may_cancel_its_job_only_as_long_as_they_may_cancel_the_run(study, actor, owner):
    request = ask(study, "length", actor=actor)
    Study.objects.filter(pk=study.pk).update(owner=make_user("heir"))

    assert cancel_job_as(owner) == 403

    request.refresh_from_db()
    assert request.state == RequestState.QUEUED


def test_a_pause_cancels_a_job_that_was_queued_while_it_waited_for_the_run(study, actor):
    request = ask(study, "length", actor=actor)
    pause_request(request, actor=actor, now=NOW)
    was_resumed = []

    def resume_after_looking_for_jobs(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if 'FROM "jobs_job"' in sql and not was_resumed:
            was_resumed.append(True)
            resume_request(ScoringRequest.objects.get(pk=request.pk), actor=actor, now=NOW)
        return found

    with connection.execute_wrapper(resume_after_looking_for_jobs):
        pause_request(request, actor=actor, now=NOW)

    assert (request.state, [job[2] for job in list_jobs()]) == (RequestState.PAUSED, ["cancelled", "cancelled"])


@pytest.mark.parametrize("change", [pause_request, cancel_request])
def test_a_stop_does_not_count_against_the_metric_at_work_and_keeps_the_crashes_of_the_others(study, actor, change):
    request = ask(study, "length", "rouge-l", actor=actor)
    begin(request, now=NOW)
    RequestedMetric.objects.filter(metric="length").update(n_begun=2)
    RequestedMetric.objects.filter(metric="rouge-l").update(n_begun=2, is_busy=True)

    change(request, actor=actor, now=NOW)

    assert list_begun() == [("length", 2, False), ("rouge-l", 1, False)]


def test_a_pause_of_a_run_that_waits_to_be_tried_again_keeps_the_crash(study, actor):
    request = ask(study, "length", actor=actor)
    job = begin(request, now=NOW)
    RequestedMetric.objects.update(n_begun=1, is_busy=True)
    lose_job(job, reason="killed", now=NOW)

    pause_request(request, actor=actor, now=NOW)

    assert RequestedMetric.objects.get().n_begun == 1


def list_begun():
    return list(RequestedMetric.objects.order_by("metric").values_list("metric", "n_begun", "is_busy"))
