"""Scores the missing rows of a requested run, and updates the state of each of its metrics."""

from collections.abc import Callable
from datetime import datetime

from django.db.models import F, Sum

from correlation.errors import CorrelationInputError
from metrics_plugins.api import MetricError
from metrics_plugins.runtime.chunks import CHUNK_SIZE
from metrics_plugins.runtime.sandbox import Catalog, ChildStopped, PluginChoice
from metrics_plugins.runtime.sessions import AskedMetric, make_backend
from studies.enums import RequestState
from studies.models import RequestedMetric, Run, ScoringRequest
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows, build_rows
from studies.scoring.metric_choices import choose_signatures
from studies.scoring.metric_files import find_roots
from studies.scoring.pipeline import InputPlan, Watch, score_input
from studies.scoring.plugin_catalog import get_folder, get_limits, load_catalog
from studies.scoring.requests.leasing import MOST_LOST, RequestLease, explain_losses, take_lease
from studies.scoring.scoring import plan_inputs


def work_on(
    pk: int, *, now: Callable[[], datetime], catalog: Catalog | None = None, chunk_size: int = CHUNK_SIZE
) -> None:
    """Work on a run until it is done, paused, cancelled or taken over; return at once if there is nothing to do.

    The failure of a metric is recorded in its own row; the run fails only if all metrics fail or nothing can be scored.
    """
    lease = take_lease(ScoringRequest, pk, now=now)
    if lease is None:
        return
    ScoringRequest.objects.filter(pk=pk, started_at=None).update(started_at=now())
    try:
        _Working(lease, now, catalog or load_catalog(), chunk_size).run()
    except ChildStopped:
        return
    except (ScoringFailed, CorrelationInputError, MetricError) as error:
        lease.update(state=RequestState.FAILED, message=str(error), finished_at=now())
    except Exception as error:
        # Shown to the user; the operator finds the traceback with the job.
        reason = f"{type(error).__name__}: {error}"
        lease.update(state=RequestState.FAILED, message=reason, finished_at=now())
        raise


class _Working(Watch):
    """One attempt to work on a run, notified of the progress of its metrics."""

    def __init__(self, lease: RequestLease, now: Callable[[], datetime], catalog: Catalog, chunk_size: int) -> None:
        self.lease = lease
        self.now = now
        self.catalog = catalog
        self.chunk_size = chunk_size
        self.rows = RequestedMetric.objects.filter(request=lease.row)

    def run(self) -> None:
        request: ScoringRequest = self.lease.row
        if losses := explain_losses(request.n_lost):
            raise ScoringFailed(losses)
        # Count again what an earlier attempt counted; do not retry metrics that failed for good.
        live = self.rows.exclude(state=RequestState.FAILED)
        live.update(state=RequestState.RUNNING, n_done=0, n_total=0, n_missing=0, n_infinite=0)
        for each in live.filter(n_begun__gte=MOST_LOST):
            self.note_failure(each.metric, reason=explain_losses(each.n_begun))
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
        return self.lease.stop()

    def note_begun(self, metric: str) -> None:
        # Count before scoring: a worker that the metric kills cannot write afterwards.
        self.rows.filter(metric=metric).update(n_begun=F("n_begun") + 1)
        # From here on a crash counts against the metric, and the run continues without it.
        self.lease.update(n_lost=0)

    def note_left(self, metric: str) -> None:
        self.rows.filter(metric=metric).update(n_begun=0)

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        self.rows.filter(metric=metric).update(n_done=F("n_done") + n_chunks)
        self._sum_up()

    def note_run(self, metric: str, *, run: Run, n_missing: int, n_infinite: int) -> None:
        row = self.rows.filter(metric=metric)
        counts = {"n_missing": F("n_missing") + n_missing, "n_infinite": F("n_infinite") + n_infinite}
        row.update(**counts, signature=run.signature)
        # With several inputs, the metric is finished after the last one: all were planned before the first.
        row.filter(n_done__gte=F("n_total")).update(state=RequestState.FINISHED)

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

    def _sum_up(self) -> None:
        sums = self.rows.aggregate(done=Sum("n_done", default=0), total=Sum("n_total", default=0))
        if not self.lease.update(n_done=sums["done"], n_total=max(sums["total"], sums["done"]), heartbeat=self.now()):
            raise ChildStopped("stopped")

    def _finish(self) -> None:
        scored = self.rows.exclude(state=RequestState.FAILED)
        choose_signatures(self.lease.row.study, dict(scored.values_list("metric", "signature")))
        # An existing run with another chunk size may have more or fewer chunks than planned.
        scored.update(state=RequestState.FINISHED, n_total=F("n_done"))
        self._sum_up()
        failed = not self.rows.filter(state=RequestState.FINISHED).exists()
        self.lease.update(
            state=RequestState.FAILED if failed else RequestState.FINISHED,
            message="no metric gave scores" if failed else "",
            finished_at=self.now(),
        )
