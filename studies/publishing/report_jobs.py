"""Requested reports: each is a background job that computes and freezes the report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Self

from django.db import transaction
from django.db.models import Q, QuerySet

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.defaults import NONE, Inference
from correlation.protocols.recipe import Protocol
from correlation.reports import Report
from jobs.enums import UNDER_WAY, JobState
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register, with_right
from jobs.requests import request_job
from jobs.running_job import JobHandle
from metrics_plugins.api import MetricError
from studies.access.audit import COMMAND_LINE, Actor
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.preregistration.deviations import list_planned_metrics
from studies.analysis.preregistration.inference import choose_study_inference
from studies.analysis.reports import report_observations
from studies.enums import Interface
from studies.models import FrozenReport, Study
from studies.publishing.bundles.digest import digest_observations
from studies.publishing.freezing import freeze_report
from studies.publishing.methods.facts import collect_facts
from studies.scoring.errors import MissingScores
from studies.shared.schemas import adapt

MOST_SECONDS: Final = 4 * 3600.0
_FAILED_SHOWN = 3
_REFUSALS = (CorrelationInputError, UnknownNameError, MissingScores, MetricError)


@dataclass(frozen=True, slots=True)
class ReportChoices:
    """The options of a report.

    Attributes:
        protocol: The protocol by name or signature; empty for the study's own.
        metrics: Ids; empty for the preregistered metrics, or without a preregistration for all metrics with scores.
        method: The method of the intervals, or `none`; empty, as in what follows, for the default.
        clusters: The units that intervals, and a bootstrap test, resample.
        test: The test of differences, or `none`.
        correction: The correction for multiple comparisons over all pairs.
        resamples: The number of resamples; None to choose it automatically.
        seed: The seed of all random draws.
    """

    protocol: str = ""
    metrics: tuple[str, ...] = ()
    method: str = ""
    clusters: tuple[str, ...] = ()
    test: str = ""
    correction: str = ""
    resamples: int | None = None
    seed: int = 0

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the options stored in a job's payload."""
        return adapt(cls).validate_python(record)

    def choose_inference(self, study: Study, protocol: Protocol, *, n_metrics: int) -> Inference:
        """Return the interval and the test; raises CorrelationInputError if the options contradict each other."""
        return choose_study_inference(
            study,
            protocol,
            n_metrics=n_metrics,
            method=self.method,
            resampled=self.clusters,
            # One metric has no differences.
            test=self.test if n_metrics > 1 else NONE,
            correction=self.correction,
            resamples=self.resamples,
        )


def request_report(study: Study, choices: ReportChoices, *, actor: Actor, now: datetime) -> Job:
    """Queue a report.

    Raises:
        JobRefused: The account has too many jobs.
    """
    payload = {"study": study.pk, "choices": asdict(choices), "interface": actor.interface}
    return request_job(REPORT, account=actor.user, payload=payload, now=now)


def keep_report(
    gathered: StudyObservations, report: Report, *, now: datetime, actor: Actor = COMMAND_LINE
) -> FrozenReport:
    """Freeze a report with the digest of its data and the facts on how the judgments were collected."""
    return freeze_report(
        gathered.study,
        report,
        now=now,
        actor=actor,
        data_digest=digest_observations(gathered),
        facts=collect_facts(gathered, report),
    )


def list_requests(study: Study) -> QuerySet[Job]:
    """Return the jobs whose report is not finished, newest first; of the failed ones only the newest few."""
    asked = find_requests(study)
    failed = asked.filter(state__in=(JobState.FAILED, JobState.LOST)).values_list("pk", flat=True)
    return asked.filter(Q(state__in=UNDER_WAY) | Q(pk__in=list(failed[:_FAILED_SHOWN])))


def find_requests(study: Study) -> QuerySet[Job]:
    """Return all known report jobs of the study, newest first."""
    asked = Job.objects.filter(kind=REPORT.name, payload__study=study.pk)
    return asked.select_related("account").order_by("-pk")


def _work(handle: JobHandle) -> None:
    study = Study.objects.select_related("dataset").filter(pk=handle.payload["study"]).first()
    if study is None:
        raise WorkFailed("the study no longer exists")
    try:
        _make(handle, study)
    except _REFUSALS as refusal:
        raise WorkFailed(str(refusal)) from refusal


def _make(handle: JobHandle, study: Study) -> None:
    choices = ReportChoices.from_json(handle.payload["choices"])
    # The plan is for the study's own protocol.
    metrics = choices.metrics or (() if choices.protocol else list_planned_metrics(study))
    gathered = gather_observations(study, protocol=choices.protocol, metrics=metrics or None)
    if not gathered.metrics:
        raise CorrelationInputError("no installed metric can score the items of this study: there is nothing to report")

    def watch(step: str, n_done: int, n_steps: int) -> None:
        handle.report(f"Computing: {step}.", n_done=n_done, n_total=n_steps)

    chosen = choices.choose_inference(gathered.study, gathered.protocol, n_metrics=len(gathered.metrics))
    report = report_observations(
        gathered, interval=chosen.interval, comparison=chosen.comparison, seed=choices.seed, watch=watch
    )
    actor = Actor(user=handle.job.account, interface=Interface(handle.payload["interface"]))
    digest, facts = digest_observations(gathered), collect_facts(gathered, report)
    with transaction.atomic():
        # Lock the job first, so that no other worker can take it over and freeze a second report.
        handle.hold()
        frozen = freeze_report(study, report, now=handle.now(), actor=actor, data_digest=digest, facts=facts)
        handle.finish({"report": frozen.number})


def _find_study(job: Job) -> Study | None:
    return Study.objects.filter(pk=job.payload["study"]).first()


REPORT: Final = register(
    Kind(
        name="report",
        title="Creating a report",
        lane="reports",
        work=_work,
        seconds=MOST_SECONDS,
        may_see=with_right("studies.view_study", to=_find_study),
        may_cancel=with_right("studies.analyse_study", to=_find_study),
    )
)
