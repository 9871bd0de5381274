"""Tests of requested runs with real hostile plugins."""

from datetime import timedelta

import numpy as np
import pytest

from jobs.models import Job
from jobs.requests import identify_payload
from jobs.worker.claiming import give_back, lose_dead_jobs, lose_job
from studies.analysis.reports import correlate_study
from studies.enums import RequestState
from studies.models import Candidate, Judgment, RequestedMetric, Run, ScoreChunk, ScoringRequest
from studies.scoring.chunks import unpack_scores
from studies.scoring.metric_choices import find_signatures, set_parameters
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs import scoring_jobs
from studies.scoring.requested_runs.requests import cancel_request, pause_request, request_scoring
from studies.scoring.study_scoring import ScoringOptions, score_study
from tests.factories.studies import NOW
from tests.studies.scored import make_scored_study
from tests.studies.scoring.requested_runs.scored_here import begin, work_on

HOSTILE = (
    "always-nan",
    "eats-memory",
    "leaves",
    "loops-forever",
    "maps-memory",
    "out-of-bounds",
    "polite",
    "prints",
    "segfaults",
    "wrong-keys",
)


def now():
    return NOW + timedelta(minutes=1)


def ask(study, *metrics, actor, **options):
    return request_scoring(study, metrics=metrics, catalog=load_catalog(), actor=actor, now=NOW, **options)


def tell(request):
    rows = RequestedMetric.objects.filter(request=request)
    return {row.metric: (row.state, row.n_done, row.n_total, row.message) for row in rows}


def test_bundled_metrics_score_as_the_command_does(study, actor):
    request = ask(study, "length", "rouge-l", "bleu-4", "cider-d", actor=actor)

    work_on(request.pk, now=now)

    request.refresh_from_db()
    assert (request.state, request.n_done, request.n_total, request.message) == (RequestState.FINISHED, 4, 4, "")
    assert (request.started_at, request.finished_at) == (now(), now())
    assert tell(request) == dict.fromkeys(("bleu-4", "cider-d", "length", "rouge-l"), ("finished", 1, 1, ""))
    kept = {run.metric: (run.signature, run.plugin, run.versions, bytes_of(run)) for run in Run.objects.all()}
    Run.objects.all().delete()
    score_study(study, now=now, metrics=["length", "rouge-l", "bleu-4", "cider-d"])
    assert {run.metric: (run.signature, run.plugin, run.versions, bytes_of(run)) for run in Run.objects.all()} == kept


@pytest.mark.parametrize("state", [RequestState.PAUSED, RequestState.CANCELLED])
def test_a_job_does_not_revive_a_run_that_was_stopped_while_it_was_queued(study, actor, state):
    request = ask(study, "length", actor=actor)
    ScoringRequest.objects.filter(pk=request.pk).update(state=state)

    work_on(request.pk, now=now)

    request.refresh_from_db()
    assert (request.state, request.started_at, request.n_done) == (state, None, 0)
    assert Job.objects.get(kind="score").state == "failed"
    assert not Run.objects.exists()


def bytes_of(run):
    return [(bytes(chunk.values), bytes(chunk.statistics or b"")) for chunk in ScoreChunk.objects.filter(run=run)]


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.usefixtures("_hostile")
def test_hostile_metrics_fail_with_the_reason_and_the_others_score(study, actor):
    request = ask(study, *HOSTILE, "length", actor=actor)

    work_on(request.pk, now=now)

    request.refresh_from_db()
    told = tell(request)
    memory = told.pop("maps-memory")
    assert memory[:3] == ("failed", 0, 0)
    assert memory[3].startswith("it held ")
    assert memory[3].endswith("MiB of memory, more than the 512 MiB allowed, and was ended")
    printed = told.pop("prints")
    assert printed[3].startswith("it printed more than 16 MiB and was ended; it had printed: xxx")
    assert len(printed[3]) < 3200
    eaten = told.pop("eats-memory")
    assert eaten[3].startswith("MemoryError: not enough memory within its limit")
    assert told == {
        "always-nan": ("finished", 1, 1, ""),
        "leaves": ("failed", 0, 0, "its process ended itself with exit code 3; it had printed: no licence"),
        "length": ("finished", 1, 1, ""),
        "loops-forever": ("failed", 0, 0, "it took longer than the 8 s allowed and was ended"),
        "out-of-bounds": (
            "failed",
            0,
            0,
            "metric 'out-of-bounds' declares bounds [0.0, 1000.0], but gave -1.0 for key 'first-0' (6 such rows)"
            "\n  on row 1 of 6: image 'image-0', system 'first', caption 'word word'",
        ),
        "polite": ("finished", 1, 1, ""),
        "segfaults": ("failed", 0, 0, "its process was ended by SIGSEGV (Segmentation fault)"),
        "wrong-keys": (
            "failed",
            0,
            0,
            "metric 'wrong-keys' must return the keys of its batch in order, "
            "got 'row 0' for row 0, whose key is 'first-0'",
        ),
    }
    assert (request.state, request.n_done, request.n_total) == (RequestState.FINISHED, 3, 3)
    assert RequestedMetric.objects.get(request=request, metric="always-nan").n_missing == 6
    assert {run.metric: run.plugin.partition(" ")[0] for run in Run.objects.filter(finished_at__isnull=False)} == {
        "always-nan": "accordance-hostile-metrics",
        "length": "accordance",
        "polite": "accordance-hostile-metrics",
    }


@pytest.mark.usefixtures("_hostile")
def test_a_run_whose_metrics_all_fail_has_failed(study, actor):
    request = ask(study, "segfaults", actor=actor)

    work_on(request.pk, now=now)

    request.refresh_from_db()
    assert (request.state, request.message) == (RequestState.FAILED, "no metric produced scores")


@pytest.mark.usefixtures("_hostile")
def test_parameters_are_used_and_results_take_those_scores(study, actor):
    entry = load_catalog().get("takes-parameters")
    work_on(ask(study, "takes-parameters", actor=actor).pk, now=now)
    set_parameters(study, entry=entry, params={"plus": 7, "unit": "letters"}, actor=actor, now=NOW)
    work_on(ask(study, "takes-parameters", actor=actor).pk, now=now)

    first, second = Run.objects.order_by("pk")
    assert find_signatures(study)["takes-parameters"] == second.signature
    assert second.signature == "takes-parameters|factor:1|plus:7|unit:letters|case:no|tokens:none|v:1"
    # "word word": 9 letters and blanks, and 7.
    assert (unpack_scores(first)[0], unpack_scores(second)[0]) == (2.0, 16.0)
    signature = correlate_study(study, metrics=["takes-parameters"]).signatures["takes-parameters"]
    assert signature.startswith(second.signature)

    set_parameters(study, entry=entry, params={}, actor=actor, now=NOW)
    work_on(ask(study, "takes-parameters", actor=actor).pk, now=now)

    assert Run.objects.count() == 2
    signature = correlate_study(study, metrics=["takes-parameters"]).signatures["takes-parameters"]
    assert signature.startswith(first.signature)


@pytest.mark.usefixtures("_hostile")
def test_a_pause_ends_a_metric_in_the_middle_and_what_was_scored_stays(study, actor, settings):
    settings.ACCORDANCE_METRIC_SECONDS = 600.0
    request = ask(study, "length", "loops-forever", actor=actor)
    RequestedMetric.objects.filter(metric="loops-forever").update(n_begun=2)

    def pause_in_time():
        # Asked for the time with every heartbeat: here somebody pauses the run while the second metric is at work.
        if RequestedMetric.objects.filter(metric="loops-forever", n_begun=3).exists():
            paused = ScoringRequest.objects.filter(pk=request.pk, state=RequestState.RUNNING).first()
            if paused:
                pause_request(paused, actor=actor, now=NOW)
        return now()

    work_on(request.pk, now=pause_in_time)

    request.refresh_from_db()
    assert request.state == RequestState.PAUSED
    assert Run.objects.get(metric="length").finished_at == now()
    # The pause is not a third crash, and does not undo the two before it.
    assert RequestedMetric.objects.get(metric="loops-forever").n_begun == 2


def test_a_metric_is_finished_when_its_last_chunk_is_stored(study, actor, monkeypatch):
    request = ask(study, "length", "rouge-l", actor=actor)
    seen = []

    def note_begun(self, metric):
        seen.append((metric, {name: state for name, (state, *_) in tell(request).items()}))

    monkeypatch.setattr(scoring_jobs._Working, "note_begun", note_begun)
    # Two chunks of each metric.
    work_on(request.pk, now=now, chunk_size=-(-Candidate.objects.count() // 2))

    metric, states = seen[-1]
    (other,) = {"length", "rouge-l"} - {metric}
    assert states == {metric: RequestState.RUNNING, other: RequestState.FINISHED}
    assert {state for _, earlier in seen[:2] for state in earlier.values()} == {RequestState.RUNNING}


def test_a_run_requests_the_intervals_of_a_study_with_judgments_as_its_last_step(study, actor):
    request = ask(study, "length", actor=actor)

    work_on(request.pk, now=now)

    asked = Job.objects.filter(kind="default-report")
    payload = {"study": study.pk}
    assert list(asked.values_list("key", "payload")) == [(identify_payload(payload), payload)]


def test_a_run_requests_no_intervals_without_judgments(study, actor):
    Judgment.objects.all().delete()

    work_on(ask(study, "length", actor=actor).pk, now=now)

    assert not Job.objects.filter(kind="default-report").exists()


def test_what_is_there_is_not_scored_again(study, actor):
    score_study(study, now=now, metrics=["length"])
    before = [(chunk.pk, bytes(chunk.values)) for chunk in ScoreChunk.objects.all()]
    request = ask(study, "length", actor=actor)

    work_on(request.pk, now=now)

    assert [(chunk.pk, bytes(chunk.values)) for chunk in ScoreChunk.objects.all()] == before
    assert tell(request) == {"length": ("finished", 1, 1, "")}


def test_missing_chunks_alone_are_scored(study, actor):
    request = ask(study, "length", actor=actor)
    work_on(request.pk, now=now, chunk_size=2)
    run = Run.objects.get()
    whole = unpack_scores(run)
    run.chunks.filter(index=1).delete()
    Run.objects.update(finished_at=None)
    kept = set(run.chunks.values_list("pk", flat=True))
    request = ask(study, "length", actor=actor)

    work_on(request.pk, now=now, chunk_size=2)

    assert np.array_equal(unpack_scores(run), whole)
    assert len(set(run.chunks.values_list("pk", flat=True)) & kept) == 2
    assert tell(request) == {"length": ("finished", 3, 3, "")}


@pytest.mark.parametrize(
    ("change", "state"), [(pause_request, RequestState.PAUSED), (cancel_request, RequestState.CANCELLED)]
)
def test_nothing_is_done_for_a_run_that_shall_not_go_on(study, actor, change, state):
    request = ask(study, "length", actor=actor)
    change(request, actor=actor, now=NOW)

    work_on(request.pk, now=now)

    request.refresh_from_db()
    assert (request.state, Run.objects.count()) == (state, 0)


def test_a_run_that_another_works_on_is_left_alone_until_that_worker_is_dead(study, actor):
    request = ask(study, "length", actor=actor)
    begin(request, now=NOW)

    lose_dead_jobs(now=NOW + timedelta(seconds=30))
    work_on(request.pk, now=now)
    assert Run.objects.count() == 0

    lose_dead_jobs(now=NOW + timedelta(seconds=31))
    work_on(request.pk, now=now)
    request.refresh_from_db()
    assert request.state == RequestState.FINISHED


def test_what_takes_every_worker_down_is_given_up_and_the_others_score(study, actor):
    request = ask(study, "length", "rouge-l", actor=actor)
    # As the third worker leaves it that is killed while it works for a metric.
    lose_job(begin(request, now=NOW), reason="killed", now=NOW)
    RequestedMetric.objects.filter(metric="length").update(state=RequestState.RUNNING, n_begun=3)
    RequestedMetric.objects.filter(metric="rouge-l").update(state=RequestState.RUNNING, n_begun=2)

    work_on(request.pk, now=now)

    reason = "3 background workers exited, one after the other, while working on it"
    assert tell(request) == {"length": ("failed", 0, 0, reason), "rouge-l": ("finished", 1, 1, "")}
    assert RequestedMetric.objects.get(metric="rouge-l").n_begun == 0


def test_a_run_whose_workers_die_before_any_metric_is_given_up(study, actor):
    request = ask(study, "length", actor=actor)

    for _ in range(3):
        lose_job(begin(request, now=NOW), reason="killed", now=NOW)

    request.refresh_from_db()
    assert (request.state, request.message, request.finished_at) == (RequestState.FAILED, "killed, 3 times", NOW)


def test_workers_that_died_before_a_metric_was_begun_are_not_held_against_it(study, actor):
    request = ask(study, "length", actor=actor)
    for _ in range(2):
        lose_job(begin(request, now=NOW), reason="killed", now=NOW)

    work_on(request.pk, now=now)

    assert Job.objects.get(kind="score").n_tries == 1
    assert tell(request) == {"length": ("finished", 1, 1, "")}


def test_a_worker_that_is_told_to_stop_is_not_held_against_the_metric_at_work(study, actor):
    request = ask(study, "length", "rouge-l", actor=actor)
    job = begin(request, now=NOW)
    RequestedMetric.objects.filter(metric="length").update(n_begun=1)
    RequestedMetric.objects.filter(metric="rouge-l").update(n_begun=1, is_busy=True)

    give_back(job, reason="told to stop", now=NOW)

    request.refresh_from_db()
    n_begun = list(RequestedMetric.objects.order_by("metric").values_list("n_begun", flat=True))
    assert (request.state, n_begun) == (RequestState.QUEUED, [1, 0])


def test_a_worker_that_has_lost_its_run_begins_no_metric(study, actor):
    request = ask(study, "length", actor=actor)

    def lose_in_time():
        # Asked for the time with every heartbeat: here the run is paused before its first metric.
        paused = ScoringRequest.objects.filter(pk=request.pk, state=RequestState.RUNNING).first()
        if paused:
            pause_request(paused, actor=actor, now=NOW)
        return now()

    work_on(request.pk, now=lose_in_time)

    begun = RequestedMetric.objects.get()
    assert (begun.n_begun, begun.is_busy, Run.objects.count()) == (0, False, 0)


def test_a_metric_counts_as_begun_while_it_is_worked_for(study, actor, monkeypatch):
    request = ask(study, "length", actor=actor)
    seen = []

    def look(working, metric, **counts):
        seen.append(RequestedMetric.objects.get().n_begun)
        note_chunks(working, metric, **counts)

    # Chunks are noted as soon as they are scored, which is before the metric is left.
    note_chunks = scoring_jobs._Working.note_chunks
    monkeypatch.setattr(scoring_jobs._Working, "note_chunks", look)
    work_on(request.pk, now=now)

    assert 1 in seen
    assert RequestedMetric.objects.get().n_begun == 0


def test_a_metric_that_is_gone_is_told(study, actor):
    request = ask(study, "length", actor=actor)
    RequestedMetric.objects.create(request=request, metric="gone")

    work_on(request.pk, now=now)

    assert tell(request)["gone"][3].startswith("no installed plugin has a metric 'gone'")
    assert tell(request)["length"][0] == "finished"


def test_judgments_of_the_study_are_learned_from_by_folds_of_images(study, actor):
    entry = load_catalog().get("critic-judgments")
    set_parameters(study, entry=entry, params={"features": "words", "alpha": 1.0}, actor=actor, now=NOW)
    request = ask(study, "critic-judgments", actor=actor)

    work_on(request.pk, now=now)

    assert tell(request) == {"critic-judgments": ("finished", 1, 1, "")}
    run = Run.objects.get()
    assert "|features:words|" in run.signature
    assert "|apart:cross-fitted|v:2" in run.signature
    # The process that scored held more than an interpreter does.
    assert run.peak_memory > 2**24
    assert (run.device, run.dtype, run.peak_gpu_memory) == ("cpu", "float32", 0)
    kept = bytes_of(run)
    Run.objects.all().delete()
    params = {"critic-judgments": {"features": "words", "alpha": 1.0}}
    score_study(study, now=now, metrics=["critic-judgments"], options=ScoringOptions(params=params))
    assert (Run.objects.get().signature, bytes_of(Run.objects.get())) == (run.signature, kept)


def test_judgments_of_another_study_are_learned_from(study, actor):
    entry = load_catalog().get("critic-judgments")
    set_parameters(study, entry=entry, params={"features": "words", "alpha": 1.0}, actor=actor, now=NOW)
    Judgment.objects.all().delete()
    other = make_scored_study("other", values=(1, 3, 2), score=False)
    request = ask(study, "critic-judgments", actor=actor, judging=other)

    work_on(request.pk, now=now)

    assert tell(request) == {"critic-judgments": ("finished", 1, 1, "")}
    run = Run.objects.get()
    kept = bytes_of(run)
    Run.objects.all().delete()
    params = {"critic-judgments": {"features": "words", "alpha": 1.0}}
    options = ScoringOptions(params=params, judging=other)
    score_study(study, now=now, metrics=["critic-judgments"], options=options)
    assert (Run.objects.get().signature, bytes_of(Run.objects.get())) == (run.signature, kept)


def test_a_study_without_judgments_teaches_nothing(study, actor):
    Judgment.objects.all().delete()
    request = ask(study, "critic-judgments", "length", actor=actor)

    work_on(request.pk, now=now)

    assert tell(request) == {
        "critic-judgments": ("failed", 0, 0, "study study has no judgments yet"),
        "length": ("finished", 1, 1, ""),
    }


INFINITE = """
import numpy as np
from metrics_plugins.api import Input, Level, Metric, MetricInfo, Scores, hookimpl

class Infinite(Metric):
    info = MetricInfo(
        id="infinite-now-and-then", title="Infinite", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, float("inf")), version="1", citation="none",
    )

    def score(self, batch):
        return Scores.make(batch.keys, [np.inf if len(text.split()) == 2 else len(text) for text in batch.candidates])

@hookimpl
def register_metrics():
    return [Infinite]
"""


def test_infinite_scores_are_missing_and_told_of_in_the_run(study, actor, settings, tmp_path):
    settings.ACCORDANCE_PLUGINS, settings.VAR_DIR = tmp_path / "plugins", tmp_path
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "infinite_scores.py").write_text(INFINITE)
    request = ask(study, "infinite-now-and-then", "length", actor=actor)

    work_on(request.pk, now=now, chunk_size=2)

    counts = RequestedMetric.objects.filter(request=request).values_list("metric", "state", "n_missing", "n_infinite")
    two_words = sum(len(text.split()) == 2 for text in study.dataset.candidates.values_list("text", flat=True))
    assert two_words > 0
    assert set(counts) == {("infinite-now-and-then", "finished", two_words, two_words), ("length", "finished", 0, 0)}
    run = Run.objects.get(metric="infinite-now-and-then")
    assert run.n_infinite == two_words
    assert np.isnan(unpack_scores(run)).sum() == two_words
