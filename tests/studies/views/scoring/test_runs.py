"""Tests of runs on a study's pages: permissions, display, and forms."""

import re

import pytest
from django.urls import reverse

from studies.enums import Interface, RequestState
from studies.models import AuditEntry, RequestedMetric, ScoringRequest, StudyMetric
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_member
from tests.studies.people import make_people
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import make_scored_study


@pytest.fixture
def study(owner):
    return make_scored_study(owner=owner, score=False)


def make_run(study, *, state=RequestState.QUEUED, metrics=("length",), **extra):
    run = ScoringRequest.objects.create(study=study, state=state, requested_by=study.owner, requested_at=NOW, **extra)
    for metric in metrics:
        RequestedMetric.objects.create(request=run, metric=metric)
    return run


def post(client, address, *args, **data):
    return client.post(reverse(f"studies:{address}", args=args), data)


def test_a_run_is_started_with_what_was_chosen(researcher, study, owner):
    response = post(researcher, "run_start", "study", metrics=["length", "cider-d"], own_protocol="on")

    run = ScoringRequest.objects.get()
    assert response.url == f"/studies/study/runs/{run.pk}/"
    assert [metric.metric for metric in run.metrics.all()] == ["cider-d", "length"]
    assert (run.protocol, run.requested_by) == (study.protocol, owner)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.interface) == ("scored", owner, Interface.PAGE)


@pytest.mark.parametrize(
    ("metrics", "told"),
    [
        ([], "This field is required"),
        (["nothing"], "Select a valid choice. nothing is not one of the available choices"),
        (["lsa"], "Select a valid choice. lsa is not one of the available choices"),
    ],
)
def test_a_run_of_what_cannot_be_scored_is_refused(researcher, study, metrics, told):
    response = post(researcher, "run_start", "study", metrics=metrics)

    assert response.status_code == 422
    assert told in response.content.decode()
    assert not ScoringRequest.objects.exists()


def test_a_second_run_is_refused_in_words(researcher, study):
    make_run(study)

    response = post(researcher, "run_start", "study", metrics=["length"])

    assert "a run of this study is in progress: wait until it ends, or cancel it" in response.content.decode()
    assert ScoringRequest.objects.count() == 1


@pytest.mark.parametrize(
    ("state", "change", "becomes", "told"),
    [
        (RequestState.RUNNING, "pause", RequestState.PAUSED, "The run has been paused."),
        (RequestState.PAUSED, "resume", RequestState.QUEUED, "The run has been resumed."),
        (
            RequestState.PAUSED,
            "cancel",
            RequestState.CANCELLED,
            "The run has been cancelled; finished scores are kept.",
        ),
        (RequestState.FINISHED, "cancel", RequestState.FINISHED, "Nothing was changed: the run is finished."),
    ],
)
def test_a_run_is_changed(researcher, study, state, change, becomes, told):
    run = make_run(study, state=state)

    response = researcher.post(reverse("studies:run_change", args=["study", run.pk, change]), follow=True)

    run.refresh_from_db()
    assert run.state == becomes
    assert told in response.content.decode()


def test_there_is_no_other_change_and_no_run_of_another_study(researcher, study, owner):
    run = make_run(study)
    make_scored_study("other", owner=owner, score=False)

    assert post(researcher, "run_change", "study", run.pk, "explode").status_code == 404
    assert post(researcher, "run_change", "other", run.pk, "pause").status_code == 404
    assert researcher.get(f"/studies/other/runs/{run.pk}/").status_code == 404


@pytest.mark.parametrize("state", RequestState)
def test_only_a_run_that_moves_asks_for_news(researcher, study, state):
    run = make_run(study, state=state, n_done=1, n_total=3)

    page = researcher.get(f"/studies/study/runs/{run.pk}/").content.decode()

    assert ("hx-get" in page) == (state in (RequestState.QUEUED, RequestState.RUNNING))
    assert '<progress class="wide" aria-label="Scores computed" value="1" max="3">' in page
    for button, states in {
        "pause": (RequestState.QUEUED, RequestState.RUNNING),
        "resume": (RequestState.PAUSED,),
        "cancel": (RequestState.QUEUED, RequestState.RUNNING, RequestState.PAUSED),
    }.items():
        assert (f'id="{button}"' in page) == (state in states)


def test_the_progress_fragment_equals_the_part_of_the_page(researcher, study):
    run = make_run(study, state=RequestState.RUNNING)

    part = researcher.get(f"/studies/study/runs/{run.pk}/progress/").content.decode()

    assert part.strip().startswith('<section class="panel" id="run"')
    assert "<html" not in part
    page = researcher.get(f"/studies/study/runs/{run.pk}/").content.decode()
    assert _hide_tokens(part).strip() in _hide_tokens(page)


def _hide_tokens(page):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def test_a_failed_metric_is_told_as_text(researcher, study):
    run = make_run(study, state=RequestState.FINISHED, metrics=())
    RequestedMetric.objects.create(
        request=run, metric="length", state=RequestState.FAILED, message="it printed <script>alert(1)</script>"
    )

    page = researcher.get(f"/studies/study/runs/{run.pk}/").content.decode()

    assert "it printed &lt;script&gt;alert(1)&lt;/script&gt;" in page


def make_partial_run(study):
    run = make_run(study, state=RequestState.FINISHED, metrics=())
    RequestedMetric.objects.create(request=run, metric="length", state=RequestState.FINISHED)
    for metric in ("cider", "rouge-l"):
        RequestedMetric.objects.create(request=run, metric=metric, state=RequestState.FAILED, message="it needs x")
    return run


def test_a_run_with_failed_metrics_is_shown_as_partly_computed(researcher, study):
    run = make_partial_run(study)

    addresses = ("/studies/study/runs/", f"/studies/study/runs/{run.pk}/")
    runs, page = (researcher.get(address).content.decode() for address in addresses)

    for text in (runs, page):
        assert '<span class="outcome partial">Partly computed (1 of 3)</span>' in text
    gaps = page[page.index('id="gaps"') :]
    assert page.index('id="gaps"') < page.index("<table")
    assert "2 of 3 metrics have no scores from this run" in gaps
    assert re.search(r"<code>cider</code></a>, <a [^>]*><code>rouge-l</code></a>: <span [^>]*>it needs x", gaps)


def test_a_complete_run_is_shown_as_finished(researcher, study):
    run = make_run(study, state=RequestState.FINISHED)
    run.metrics.update(state=RequestState.FINISHED)

    page = researcher.get(f"/studies/study/runs/{run.pk}/").content.decode()

    assert '<span class="outcome finished">Finished</span></h2>' in "".join(page.splitlines())
    assert 'id="gaps"' not in page


def test_the_overview_lists_metrics_without_scores_first(researcher, study):
    assert 'id="skipped"' not in researcher.get("/studies/study/").content.decode()
    run = make_partial_run(study)

    page = researcher.get("/studies/study/").content.decode()

    assert "2 metrics of the latest run have no scores and are missing below" in page
    assert page.index('id="skipped"') < page.index('class="panel"')
    assert f'<a href="/studies/study/runs/{run.pk}/">Reasons</a>' in page


def test_kept_scores_show_where_they_come_from(researcher, study):
    score_study(study, now=lambda: NOW, metrics=["length"])

    page = researcher.get("/studies/study/runs/").content.decode()

    (kept,) = researcher.get("/studies/study/runs/").context["kept_runs"]
    assert kept.inputs == ("segments, references all",)
    for text in (kept.run.signature, kept.run.input_digest, kept.run.plugin, "cpu, float64", "numpy"):
        assert text in page


def test_a_metric_is_switched_off_and_on(researcher, study):
    score_study(study, now=lambda: NOW, metrics=["length", "rouge-l"])

    page = researcher.post(
        "/studies/study/runs/metrics/length/switch/", {"enabled": "off"}, follow=True
    ).content.decode()

    assert "length has been disabled." in page
    assert researcher.get("/studies/study/").context["results"].table.metrics == ("rouge-l",)
    assert "length" not in researcher.get("/studies/study/runs/").context["form"].offered
    assert AuditEntry.objects.get().details == {"metric": "length", "enabled": False}

    researcher.post("/studies/study/runs/metrics/length/switch/", {"enabled": "on"})
    assert sorted(researcher.get("/studies/study/").context["results"].table.metrics) == ["length", "rouge-l"]


def test_parameters_are_chosen_by_a_form_of_their_types(researcher, study):
    address = "/studies/study/runs/metrics/cider-d/"
    page = researcher.get(address).content.decode()
    for field in ('name="n" value="4"', 'name="sigma" value="6.0"', 'name="tokenizer" value="ptb"'):
        assert field in page

    response = researcher.post(address, {"n": "3", "sigma": "6.0", "df": "", "tokenizer": "ptb"})

    assert response.url == "/studies/study/runs/"
    assert StudyMetric.objects.get().params == {"n": 3}
    assert "<code>n=3</code>" in researcher.get("/studies/study/runs/").content.decode()
    assert 'name="n" value="3"' in researcher.get(address).content.decode()


def test_parameters_of_another_type_are_refused(researcher, study):
    response = researcher.post(
        "/studies/study/runs/metrics/cider-d/", {"n": "many", "sigma": "6", "df": "", "tokenizer": ""}
    )

    assert response.context["form"].errors == {"n": ["Enter a whole number."]}
    assert not StudyMetric.objects.exists()


@pytest.mark.parametrize("role", ["viewer", "analyst", "editor", "owner"])
def test_who_may_start_sees_how(client, study, role):
    run = make_run(study)
    client.force_login(make_people(study)[role])

    runs, page = (
        client.get(address).content.decode() for address in ("/studies/study/runs/", f"/studies/study/runs/{run.pk}/")
    )

    for part in ("Start the run", "Disable length"):
        assert (part in runs) == (role != "viewer")
    assert ('id="cancel"' in page) == (role != "viewer")


@pytest.mark.parametrize("role", ["viewer", "stranger"])
def test_refused_changes_change_nothing(client, study, role):
    run = make_run(study, state=RequestState.RUNNING)
    client.force_login(make_people(study)[role])

    for address in (f"runs/{run.pk}/pause/", f"runs/{run.pk}/cancel/", "runs/start/", "runs/metrics/length/switch/"):
        client.post(f"/studies/study/{address}", {"metrics": ["length"], "enabled": "off"})

    assert [each.state for each in ScoringRequest.objects.all()] == [RequestState.RUNNING]
    assert not StudyMetric.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("n_rows", [1, 3])
def test_runs_take_a_fixed_number_of_queries(researcher, study, n_rows, django_assert_num_queries):
    for _ in range(n_rows):
        make_run(study, state=RequestState.FINISHED)
    score_study(study, now=lambda: NOW, metrics=["length", "rouge-l", "bleu-1"][:n_rows])

    with django_assert_num_queries(19):
        assert researcher.get("/studies/study/runs/").status_code == 200


@pytest.mark.parametrize("n_rows", [1, 3])
def test_a_run_takes_a_fixed_number_of_queries(researcher, study, n_rows, django_assert_num_queries):
    run = make_run(study, metrics=["length", "rouge-l", "bleu-1"][:n_rows])

    with django_assert_num_queries(7):
        assert researcher.get(f"/studies/study/runs/{run.pk}/").status_code == 200


def test_a_run_that_took_much_longer_than_estimated_is_a_warning(researcher, study):
    run = make_run(study, state=RequestState.FINISHED, metrics=())
    for metric, estimated, seconds in (("spice", 180.0, 2340.0), ("length", 0.4, 0.2), ("wmd", None, 60.0)):
        RequestedMetric.objects.create(
            request=run, metric=metric, estimated_seconds=estimated, seconds=seconds, state=RequestState.FINISHED
        )

    page = " ".join(researcher.get(f"/studies/study/runs/{run.pk}/").content.decode().split())

    assert "Computing has taken 39 min, 13 times the estimate of 3 min." in page
    assert "<code>spice</code></a>: 39 min instead of 3 min." in page
    assert "computing time 40 min, estimated 3 min" in page
    assert page.index('id="overrun"') < page.index("<table")
    RequestedMetric.objects.update(seconds=100.0)
    assert 'id="overrun"' not in researcher.get(f"/studies/study/runs/{run.pk}/").content.decode()


def test_judgments_of_another_study_that_one_may_read_can_be_learned_from(researcher, study, owner):
    other = make_scored_study("other", values=(1, 3), score=False, title="Ours of last year")
    make_member(other, owner, "viewer")

    page = researcher.get(reverse("studies:runs", args=["study"])).content.decode()
    response = post(researcher, "run_start", "study", metrics=["critic-judgments"], judging="other")

    assert '<option value="other">Ours of last year (other)</option>' in page
    assert ScoringRequest.objects.get().judging == other
    assert "the judgments of study other" in researcher.get(response.url).content.decode()


def test_judgments_that_one_may_not_read_do_not_exist(researcher, study):
    make_scored_study("other", values=(1, 3), score=False, title="Theirs")

    page = researcher.get(reverse("studies:runs", args=["study"])).content.decode()
    response = post(researcher, "run_start", "study", metrics=["critic-judgments"], judging="other")

    assert "Theirs" not in page
    assert response.status_code == 422
    assert "Select a valid choice. That choice is not one of the available choices." in response.content.decode()
    assert not ScoringRequest.objects.exists()


def test_disabling_a_preregistered_metric_is_asked_about(researcher, study):
    make_preregistration(study)
    address = "/studies/study/runs/metrics/length/switch/"

    asked = researcher.post(address, {"enabled": "off"})

    page = asked.content.decode()
    assert asked.status_code == 422
    assert "Nothing has been changed yet. This deviates from preregistration 1:" in page
    assert f'action="{address}#chosen"' in page
    assert '<input type="hidden" name="enabled" value="off"' in page
    assert not StudyMetric.objects.filter(is_enabled=False).exists()

    done = researcher.post(address, {"enabled": "off", "confirm_deviation": "on", "deviation_reason": "Broken."})

    assert done.status_code == 302
    assert StudyMetric.objects.get(is_enabled=False).metric == "length"
    assert AuditEntry.objects.get().details["deviation_reason"] == "Broken."


def test_parameters_of_a_preregistered_metric_are_asked_about(researcher, study):
    make_preregistration(study, metrics=["cider-d"])
    address = "/studies/study/runs/metrics/cider-d/"

    given = {"n": "3", "sigma": "6", "df": "", "tokenizer": "ptb"}

    asked = researcher.post(address, given)

    page = asked.content.decode()
    assert asked.status_code == 422
    assert '<th scope="row">parameters of cider-d</th><td>defaults</td><td>n=3</td>' in page
    assert not StudyMetric.objects.exclude(params={}).exists()

    assert researcher.post(address, given | {"confirm_deviation": "on"}).status_code == 302
    assert StudyMetric.objects.get(metric="cider-d").params == {"n": 3}
