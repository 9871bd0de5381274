"""Scores the missing rows of a requested run, and updates the state of each of its metrics."""

import time
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Greatest

from correlation.errors import CorrelationInputError
from jobs.errors import JobStopped, WorkFailed
from jobs.running_job import JobHandle
from metrics_plugins.api import MetricError
from metrics_plugins.runtime.chunks import CHUNK_SIZE
from metrics_plugins.runtime.sandbox import Catalog, ChildStopped, PluginChoice
from metrics_plugins.runtime.sessions import AskedMetric, make_backend
from studies.collaboration.notifications import notify_run_ended
from studies.enums import RequestState
from studies.models import RequestedMetric, Run, ScoringRequest
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows, build_rows
from studies.scoring.metric_choices import choose_signatures
from studies.scoring.metric_files import find_roots
from studies.scoring.pipeline import InputPlan, Watch, score_input
from studies.scoring.plugins.catalog import get_folder, get_limits, load_catalog
from studies.scoring.study_scoring import plan_inputs
from studies.shared.reports import request_default_report

MOST_LOST: Final = 3
"""A run, or one of its metrics, is abandoned after this many crashes in a row."""
_GIVEN_UP: Final = f"{MOST_LOST} background workers exited, one after the other, while working on it"
_LOOK_SECONDS: Final = 0.5
AT_WORK: Final = (RequestState.QUEUED, RequestState.RUNNING)


def work_on(handle: JobHandle) -> None:
    """Score the missing chunks of a run.

    The failure of a metric is recorded in its own row; the run fails only if all metrics fail or nothing can be scored.
    """
    runs = ScoringRequest.objects.select_related("study__dataset", "judging").filter(pk=handle.payload["run"])
    request = runs.first()
    if request is None:
        raise WorkFailed("the run no longer exists")
    with transaction.atomic():
        handle.hold()
        # A pause or cancellation may not have seen this job, if it was queued at the same moment.
        if not runs.filter(state__in=AT_WORK).update(state=RequestState.RUNNING):
            raise WorkFailed("the run was paused or cancelled")
        runs.filter(started_at=None).update(started_at=handle.now())
    try:
        _Working(handle, request, load_catalog(), CHUNK_SIZE).run()
    except ChildStopped as stopped:
        raise JobStopped from stopped
    except (ScoringFailed, CorrelationInputError, MetricError) as error:
        raise WorkFailed(str(error)) from error


def forgive(metrics: QuerySet[RequestedMetric]) -> None:
    """Do not count the attempt against the metric that is being worked for: it has not ended the process."""
    n_begun = Greatest(F("n_begun") - 1, 0)
    metrics.filter(is_busy=True).update(n_begun=n_begun, is_busy=False)


class _Working(Watch):
    """One attempt to work on a run, notified of the progress of its metrics."""

    def __init__(self, handle: JobHandle, request: ScoringRequest, catalog: Catalog, chunk_size: int) -> None:
        self.handle = handle
        self.request = request
        self.now = handle.now
        self.catalog = catalog
        self.chunk_size = chunk_size
        self.rows = RequestedMetric.objects.filter(request=request)
        self.message = "Loading the metrics and their models."
        self.next_look = 0.0

    def run(self) -> None:
        request = self.request
        # Count again what an earlier attempt counted; do not retry metrics that failed for good.
        live = self.rows.exclude(state=RequestState.FAILED)
        # A metric that was busy when its worker crashed no longer is.
        live.update(state=RequestState.RUNNING, n_done=0, n_total=0, n_missing=0, n_infinite=0, is_busy=False)
        for each in live.filter(n_begun__gte=MOST_LOST):
            self.note_failure(each.metric, reason=_GIVEN_UP)
        asked = [metric for each in live.order_by("metric") if (metric := self._find(each))]
        inputs = plan_inputs(request.study, protocol=request.protocol)
        rows = [build_rows(request.study.dataset, level=level, selection=chosen) for level, chosen in inputs]
        self._plan(rows, asked)
        plugins = PluginChoice(
            blocked=self.catalog.blocked, folder=get_folder(), files=find_roots(request.study.dataset)
        )
        backend = make_backend("sandbox", plugins=plugins, limits=get_limits())
        for each in rows:
            each.save(now=self.now())
            # A dataset may have studies of captions and of caption sets: a metric scores the inputs of its own level.
            own = [one for one in asked if one.entry.info.level is each.level and not self._has_failed(one)]
            plan = InputPlan(each, own, judging=request.judging or request.study, chunk_size=self.chunk_size)
            score_input(plan, backend=backend, now=self.now, watch=self)
        self._finish()

    def stop(self) -> bool:
        if time.monotonic() < self.next_look:
            return False
        self.next_look = time.monotonic() + _LOOK_SECONDS
        try:
            self.handle.hold()
        except JobStopped:
            return True
        return False

    def note_begun(self, metric: str) -> None:
        with transaction.atomic():
            # From here on a crash counts against the metric, and the run continues without it.
            self.handle.count_tries_anew()
            # Count before scoring: a worker that the metric kills cannot write afterwards.
            self.rows.filter(metric=metric).update(n_begun=F("n_begun") + 1, is_busy=True)
        self.message = f"Scoring {metric}."

    def note_left(self, metric: str) -> None:
        forgive(self.rows.filter(metric=metric))

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        # Only scores show that the metric does not crash the worker: it is built and fitted in every attempt.
        scored = {"n_begun": 0} if n_chunks > n_present else {}
        row = self.rows.filter(metric=metric)
        row.update(n_done=F("n_done") + n_chunks, **scored)
        # All inputs were planned before the first. The other metrics of the run may take much longer.
        row.filter(state=RequestState.RUNNING, n_done__gte=F("n_total")).update(state=RequestState.FINISHED)
        self._sum_up()

    def note_time(self, metric: str, *, seconds: float) -> None:
        self.rows.filter(metric=metric).update(seconds=F("seconds") + seconds)

    def note_run(self, metric: str, *, run: Run, n_missing: int, n_infinite: int) -> None:
        row = self.rows.filter(metric=metric)
        counts = {"n_missing": F("n_missing") + n_missing, "n_infinite": F("n_infinite") + n_infinite}
        row.update(**counts, signature=run.signature)

    def note_failure(self, metric: str, *, reason: str) -> None:
        self.rows.filter(metric=metric).update(state=RequestState.FAILED, message=reason, n_total=F("n_done"))
        self._sum_up()

    def _find(self, asked: RequestedMetric) -> AskedMetric | None:
        try:
            return AskedMetric(self.catalog.get(asked.metric), asked.params)
        except MetricError as error:
            self.note_failure(asked.metric, reason=str(error))
            return None

    def _plan(self, inputs: list[InputRows], asked: list[AskedMetric]) -> None:
        for level in {each.level for each in inputs}:
            n_chunks = sum(-(-len(each) // self.chunk_size) for each in inputs if each.level is level)
            names = [each.id for each in asked if each.entry.info.level is level]
            self.rows.filter(metric__in=names).update(n_total=n_chunks)
        self._sum_up()

    def _has_failed(self, metric: AskedMetric) -> bool:
        return self.rows.filter(metric=metric.id, state=RequestState.FAILED).exists()

    @transaction.atomic
    def _sum_up(self) -> None:
        sums = self.rows.aggregate(done=Sum("n_done", default=0), total=Sum("n_total", default=0))
        n_done, n_total = sums["done"], max(sums["total"], sums["done"])
        self.handle.hold()
        self.handle.report(self.message, n_done=n_done, n_total=n_total)
        ScoringRequest.objects.filter(pk=self.request.pk).update(n_done=n_done, n_total=n_total)

    @transaction.atomic
    def _finish(self) -> None:
        self.handle.hold()
        scored = self.rows.exclude(state=RequestState.FAILED)
        choose_signatures(self.request.study, dict(scored.values_list("metric", "signature")))
        # An existing run with another chunk size may have more or fewer chunks than planned.
        scored.update(state=RequestState.FINISHED, n_total=F("n_done"))
        self._sum_up()
        if not self.rows.filter(state=RequestState.FINISHED).exists():
            self.handle.fail("no metric produced scores")
            return
        finished = {"state": RequestState.FINISHED, "message": "", "finished_at": self.now()}
        ScoringRequest.objects.filter(pk=self.request.pk).update(**finished)
        notify_run_ended(self.request, state=RequestState.FINISHED, now=self.now())
        # The last step of a run, in a job of its own: the intervals that the study's pages open with.
        request_default_report(self.request.study, now=self.now())
        self.handle.finish()
