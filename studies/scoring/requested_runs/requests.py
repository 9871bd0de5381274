"""Requests runs of metrics, and pauses, resumes and cancels them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from jobs.enums import UNDER_WAY as JOB_UNDER_WAY
from jobs.enums import JobState
from jobs.errors import JobRefused
from jobs.models import Job
from jobs.registry import Kind, register, with_right
from jobs.requests import cancel_job, request_job
from metrics_plugins.api import FitsOn, Input, Level
from metrics_plugins.api.resources import explain_missing, find_missing
from metrics_plugins.runtime.sandbox import Catalog, CatalogEntry
from studies.access.audit import Actor, record_change
from studies.collaboration.notifications import notify_run_ended
from studies.design.preregistration.declaration import confirm_metrics
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation
from studies.design.protocols import find_level
from studies.enums import AuditAction, Interface, RequestState
from studies.models import Dataset, Judgment, Reference, RequestedMetric, ScoringRequest, Study
from studies.scoring.errors import ScoringFailed
from studies.scoring.metric_choices import list_choices
from studies.scoring.metrics import explain_unfit
from studies.scoring.requested_runs.costs import estimate_costs, spread_loading
from studies.scoring.requested_runs.scoring_jobs import AT_WORK, MOST_LOST, forgive, work_on
from studies.scoring.training_data import TRAINING_KINDS, check_training_study
from studies.shared.errors import Refusal

MOST_SECONDS: Final = 30 * 24 * 3600.0
UNDER_WAY: Final = (RequestState.QUEUED, RequestState.RUNNING, RequestState.PAUSED)


class RequestRefused(Refusal):
    """A run cannot be requested, or its state does not allow the action; the message says why."""


def list_scorable(study: Study, catalog: Catalog) -> tuple[CatalogEntry, ...]:
    """Return the metrics that can score a study's captions or caption sets, possibly after training, in order of id."""
    level = find_level(study)
    available = _find_available(study.dataset, level)
    return tuple(entry for entry in catalog if not explain_unfit(entry.info, level, available, is_fitted=True))


def list_training_studies(readable: QuerySet[Study], study: Study) -> QuerySet[Study]:
    """Return the other studies among `readable` with judgments of what the metrics of this study score."""
    judged = Judgment.objects.filter(rater__study=OuterRef("pk"))
    return (
        readable.filter(Exists(judged), kind__in=TRAINING_KINDS[find_level(study)])
        .exclude(pk=study.pk)
        .order_by("title")
    )


@transaction.atomic
def request_scoring(
    study: Study,
    *,
    metrics: Sequence[str],
    catalog: Catalog,
    actor: Actor,
    now: datetime,
    own_protocol: bool = False,
    judging: Study | None = None,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> ScoringRequest:
    """Request a run; it starts when a background worker is free.

    Args:
        study: Any study of the dataset; its metric parameters are used.
        metrics: Ids, at least one.
        catalog: The plugins.
        actor: The account that makes the request.
        own_protocol: Score only the inputs of the study's own protocol, not those of all studies of the dataset.
        judging: Another study, readable by the actor, to train metrics that learn from judgments on.
        confirmation: Whether metrics beyond those of the preregistration are confirmed.

    Raises:
        DeviationNotConfirmed: A metric is not among the preregistered ones, and this is not confirmed.
        RequestRefused: A run of this study is under way, the account has too many jobs, a metric cannot score it or
            lacks something that is not installed, or no metric can be trained on the other study.
        UnknownMetric: There is no such metric.
        CorrelationInputError: The protocol cannot be read.
    """
    wanted = list(dict.fromkeys(metrics))
    if not wanted:
        raise RequestRefused("choose at least one metric")
    level = find_level(study)
    available = _find_available(study.dataset, level)
    choices = list_choices(study)
    params = {name: choices[name].params if name in choices else {} for name in wanted}
    for name in wanted:
        # The parameters may include a fitted state, which is only known once the metric is built.
        info, fitted = catalog.get(name).info, bool(params[name])
        reason = explain_unfit(info, level, available, has_judgments=True, is_fitted=fitted)
        missing = find_missing(info.resources, params=params[name])
        if reason or missing:
            raise RequestRefused(f"metric {name}: {reason or explain_missing(missing)}")
    if judging:
        _check_judging(judging, level, [catalog.get(name) for name in wanted])
    protocol = study.protocol if own_protocol else ""
    costs = spread_loading(estimate_costs(study, map(catalog.get, wanted), protocol=protocol))
    deviating = confirm_metrics(study, wanted, confirmation=confirmation)
    request = _create(study, protocol=protocol, judging=judging, actor=actor, now=now)
    RequestedMetric.objects.bulk_create(
        RequestedMetric(request=request, metric=name, params=params[name], estimated_seconds=costs.get(name))
        for name in sorted(wanted)
    )
    details = {"run": request.pk, "metrics": {name: params[name] for name in sorted(wanted)}, "protocol": protocol}
    details |= {"judgments": judging.name} if judging else {}
    details |= deviating
    record_change(study, actor=actor, action=AuditAction.SCORED, now=now, details=details)
    _queue(request, actor=actor, now=now)
    return request


def pause_request(request: ScoringRequest, *, actor: Actor, now: datetime) -> None:
    """Pause a run: its worker stops within a second, and its scores are kept.

    Raises:
        RequestRefused: It is neither queued nor running.
    """
    _change(request, RequestState.PAUSED, of=(RequestState.QUEUED, RequestState.RUNNING), actor=actor, now=now)


@transaction.atomic
def resume_request(request: ScoringRequest, *, actor: Actor, now: datetime) -> None:
    """Resume a run; only missing scores are computed.

    Raises:
        RequestRefused: It is not paused, or the account has too many jobs.
    """
    _change(request, RequestState.QUEUED, of=(RequestState.PAUSED,), actor=actor, now=now)
    _queue(request, actor=actor, now=now)


def cancel_request(request: ScoringRequest, *, actor: Actor, now: datetime) -> None:
    """Cancel a run; its scores are kept, and the next run of the same metrics continues from them.

    Raises:
        RequestRefused: It has already ended.
    """
    _change(request, RequestState.CANCELLED, of=UNDER_WAY, actor=actor, now=now)


def _check_judging(judging: Study, level: Level, entries: Sequence[CatalogEntry]) -> None:
    if all(entry.info.fits_on is not FitsOn.JUDGMENTS for entry in entries):
        raise RequestRefused(
            f"no metric of the run is fitted on judgments, but study {judging.name} was given for that"
        )
    try:
        check_training_study(judging, level)
    except ScoringFailed as error:
        raise RequestRefused(str(error)) from error


def _create(study: Study, *, protocol: str, judging: Study | None, actor: Actor, now: datetime) -> ScoringRequest:
    try:
        with transaction.atomic():
            return ScoringRequest.objects.create(
                study=study, protocol=protocol, judging=judging, requested_by=actor.user, requested_at=now
            )
    except IntegrityError as error:
        if not ScoringRequest.objects.filter(study=study, state__in=UNDER_WAY).exists():
            raise
        raise RequestRefused("a run of this study is in progress: wait until it ends, or cancel it") from error


def _queue(request: ScoringRequest, *, actor: Actor, now: datetime) -> None:
    try:
        request_job(SCORE, account=actor.user, now=now, payload={"run": request.pk}, key=str(request.pk))
    except JobRefused as refusal:
        raise RequestRefused(str(refusal)) from refusal


@transaction.atomic
def _change(
    request: ScoringRequest, state: RequestState, *, of: Sequence[RequestState], actor: Actor, now: datetime
) -> None:
    job, locked = _lock(request)
    if locked.state not in of:
        raise RequestRefused(f"the run is {locked.get_state_display().lower()}")
    details = {"run": locked.pk, "was": locked.state, "is": state}
    locked.state = state
    locked.finished_at = now if state == RequestState.CANCELLED else None
    locked.save(update_fields=["state", "finished_at"])
    if job:
        if job.state == JobState.RUNNING:
            forgive(locked.metrics.all())
        cancel_job(job, now=now, by=actor.name)
    record_change(locked.study, actor=actor, action=AuditAction.RUN_CHANGED, now=now, details=details)
    request.refresh_from_db()


def _lock(request: ScoringRequest) -> tuple[Job | None, ScoringRequest]:
    """Lock the job of a run, if it has one, and then the run: in the same order as the worker."""
    jobs = Job.objects.filter(kind=SCORE.name, key=str(request.pk), state__in=JOB_UNDER_WAY)
    while True:
        job = jobs.select_for_update().first()
        with transaction.atomic():
            locked = ScoringRequest.objects.select_for_update().get(pk=request.pk)
            if job or not jobs.exists():
                return job, locked
            # A job was queued while this waited for the run: unlock the run, and begin with the job.
            transaction.set_rollback(True)


def _find_available(dataset: Dataset, level: Level) -> frozenset[Input]:
    """Return the columns available for rows, without building them; images only if every image has a file."""
    available = {Input.CANDIDATE if level is Level.SEGMENT else Input.CAPTION_SET, Input.IMAGE_KEY}
    if Reference.objects.filter(image__dataset=dataset).exists():
        available.add(Input.REFERENCES)
    images = dataset.images.all()
    if images.exists() and not images.filter(file="").exists():
        available.add(Input.IMAGE)
    return frozenset(available)


def _end(job: Job) -> None:
    """Update the state of a run whose job did not finish, unless the run was paused or cancelled, and notify."""
    if job.state == JobState.CANCELLED:
        ended = {"state": RequestState.CANCELLED}
    else:
        ended = {"state": RequestState.FAILED, "message": job.problem}
    under_way = ScoringRequest.objects.filter(pk=job.payload["run"], state__in=AT_WORK)
    is_new = under_way.update(**ended, finished_at=job.finished_at)
    if is_new and job.finished_at and ended["state"] == RequestState.FAILED:
        run = ScoringRequest.objects.select_related("study").get(pk=job.payload["run"])
        notify_run_ended(run, state=RequestState.FAILED, now=job.finished_at)


def _return(job: Job) -> None:
    forgive(RequestedMetric.objects.filter(request=job.payload["run"]))
    ScoringRequest.objects.filter(pk=job.payload["run"], state=RequestState.RUNNING).update(state=RequestState.QUEUED)


def _cancel(job: Job, user: Any, now: datetime) -> None:
    request = _find_request(job)
    if request is None:
        raise JobRefused("the run no longer exists")
    try:
        cancel_request(request, actor=Actor(user, Interface.PAGE), now=now)
    except RequestRefused as refusal:
        raise JobRefused(str(refusal)) from refusal


def _find_request(job: Job) -> ScoringRequest | None:
    return ScoringRequest.objects.select_related("study").filter(pk=job.payload["run"]).first()


def _find_study(job: Job) -> Study | None:
    request = _find_request(job)
    return request.study if request else None


SCORE: Final = register(
    Kind(
        name="score",
        title="Scoring metrics",
        lane="runs",
        work=work_on,
        seconds=MOST_SECONDS,
        most_tries=MOST_LOST,
        on_end=_end,
        on_return=_return,
        may_see=with_right("studies.view_study", to=_find_study),
        may_cancel=with_right("studies.analyse_study", to=_find_study),
        cancel=_cancel,
    )
)
