"""Reports that are asked for on a page: computed in the background, frozen when they are done."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from math import comb
from typing import Any, Self

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks import task

from correlation.comparison.methods import ComparisonRequest, choose_resamples
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.reports import Report
from correlation.resampling.intervals import IntervalRequest
from metrics_plugins.api import MetricError
from studies.access.auditing import COMMAND_LINE, Actor
from studies.analysis.analysis import StudyObservations, gather_observations
from studies.analysis.reporting import report_observations
from studies.enums import Door, WorkState
from studies.models import FrozenReport, ReportRequest, Run, ScoringInput, Study
from studies.publishing.bundles.digest import digest_observations
from studies.publishing.freezing import freeze_report
from studies.publishing.methods.facts import collect_facts
from studies.scoring.errors import MissingScores
from studies.scoring.requests.leasing import Lease, explain_losses, keep_beating, take_lease

RESAMPLES = 1000
_UNFINISHED = (WorkState.WAITING, WorkState.RUNNING)
_FAILED_SHOWN = 3
_DOOR = "door"
_REFUSALS = (CorrelationInputError, UnknownNameError, MissingScores, MetricError)


@dataclass(frozen=True, slots=True)
class ReportChoices:
    """How a report is to be made.

    Attributes:
        protocol: By name or signature; empty for the study's own.
        metrics: Ids; none for all that have scores.
        method: Of the intervals; empty for none.
        clusters: What intervals, and a bootstrap test, resample.
        test: Of differences; empty for none.
        correction: Over all pairs.
        resamples: None for as many as are needed.
        seed: Fixes every draw.
    """

    protocol: str = ""
    metrics: tuple[str, ...] = ()
    method: str = ""
    clusters: tuple[str, ...] = ()
    test: str = ""
    correction: str = "holm"
    resamples: int | None = None
    seed: int = 0

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the choices kept in `ReportRequest.choices`."""
        lists = {name: tuple(record.get(name, ())) for name in ("metrics", "clusters")}
        # The door stands beside them.
        return cls(**{**{name: value for name, value in record.items() if name != _DOOR}, **lists})

    def make_interval(self) -> IntervalRequest | None:
        """Return how intervals are made; raises CorrelationInputError where choices do not fit each other."""
        if not self.method:
            return None
        return IntervalRequest(self.method, self.clusters, n_resamples=self.resamples or RESAMPLES)

    def make_comparison(self, n_metrics: int) -> ComparisonRequest | None:
        """Return how differences are tested, as often as the pairs of `n_metrics` need if nothing else was said."""
        if not self.test or n_metrics < 2:
            return None
        resampled = (self.clusters or ("images",)) if self.test == "bootstrap" else ()
        times = self.resamples or choose_resamples(comb(n_metrics, 2))
        return ComparisonRequest(self.test, resampled, n_resamples=times, correction=self.correction)


@transaction.atomic
def request_report(study: Study, choices: ReportChoices, *, actor: Actor, now: datetime) -> ReportRequest:
    """Put a report to be made behind the others that wait; what becomes of it is said in the request."""
    kept = asdict(choices) | {_DOOR: actor.door}
    made = ReportRequest.objects.create(study=study, choices=kept, made_by=actor.user, made_at=now)
    make_requested_report.enqueue(made.pk)
    return made


@task()
def make_requested_report(pk: int) -> None:
    """Make and freeze the report of a request, once; why it cannot be made is kept beside it.

    One whose worker died is begun anew: nothing of it was kept.
    """
    lease = take_lease(ReportRequest, pk, now=timezone.now)
    if lease is None:
        return
    if losses := explain_losses(lease.row.n_lost):
        _fail(lease, f"{losses}; fewer resamples or metrics take less memory")
        return
    try:
        with keep_beating(lambda: lease.update(heartbeat=timezone.now())):
            _make(lease)
    except _TakenOver:
        return
    except _REFUSALS as refusal:
        _fail(lease, str(refusal))
    except Exception as error:
        # Nobody would ever hear of it otherwise: the page waits for an end.
        _fail(lease, f"something unexpected broke it: {type(error).__name__}")
        raise


def keep_report(
    gathered: StudyObservations, report: Report, *, now: datetime, actor: Actor = COMMAND_LINE
) -> FrozenReport:
    """Freeze a report with what it was made from and how the judgments came about."""
    return freeze_report(
        gathered.study,
        report,
        now=now,
        actor=actor,
        data_digest=digest_observations(gathered),
        facts=collect_facts(gathered, report),
    )


def list_scored_metrics(study: Study) -> list[str]:
    """Return the ids of metrics that scored the study's dataset, whatever the references."""
    digests = ScoringInput.objects.filter(dataset=study.dataset_id).values("digest")
    finished = Run.objects.filter(input_digest__in=digests, finished_at__isnull=False)
    return list(finished.order_by("metric").values_list("metric", flat=True).distinct())


def list_requests(study: Study) -> QuerySet[ReportRequest]:
    """Return what was asked for and is no report yet, newest first; of those that failed the newest few."""
    unfinished = ReportRequest.objects.filter(study=study, state__in=_UNFINISHED)
    failed = ReportRequest.objects.filter(study=study, state=WorkState.FAILED).order_by("-pk")
    shown = Q(pk__in=unfinished.values("pk")) | Q(pk__in=list(failed.values_list("pk", flat=True)[:_FAILED_SHOWN]))
    return ReportRequest.objects.filter(shown).select_related("made_by").order_by("-pk")


def count_waiting(study: Study) -> int:
    """Return how many reports of the study are being made or wait to be."""
    return ReportRequest.objects.filter(study=study, state__in=_UNFINISHED).count()


class _TakenOver(Exception):
    """Whoever works on it was given up for dead, and somebody else makes it."""


def _make(lease: Lease) -> None:
    request: ReportRequest = lease.row
    choices = ReportChoices.from_json(request.choices)
    gathered = gather_observations(request.study, protocol=choices.protocol, metrics=choices.metrics or None)
    if not gathered.metrics:
        raise CorrelationInputError("no installed metric scores what this study judges: there is nothing to report")

    def watch(step: str, n_done: int, n_steps: int) -> None:
        if not lease.update(step=step[:200], n_done=n_done, n_steps=n_steps):
            raise _TakenOver

    report = report_observations(
        gathered,
        interval=choices.make_interval(),
        comparison=choices.make_comparison(len(gathered.metrics)),
        seed=choices.seed,
        watch=watch,
    )
    # Requests of before have no door: pages alone made them.
    actor = Actor(user=request.made_by, door=Door(request.choices.get(_DOOR, Door.PAGE)))
    digest, facts = digest_observations(gathered), collect_facts(gathered, report)
    with transaction.atomic():
        # First, so that nobody takes it over meanwhile and freezes another.
        if not lease.update(step=""):
            raise _TakenOver
        frozen = freeze_report(gathered.study, report, now=timezone.now(), actor=actor, data_digest=digest, facts=facts)
        lease.update(state=WorkState.DONE, report=frozen)


def _fail(lease: Lease, problem: str) -> None:
    lease.update(state=WorkState.FAILED, problem=problem, step="")
