"""Lists of a study's requested runs and of its stored scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.design.protocols import find_level
from studies.enums import RequestState
from studies.models import Dataset, RequestedMetric, Run, ScoringInput, ScoringRequest, Study


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A stored run of scores, with the level and references of each of its inputs."""

    run: Run
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreGap:
    """Metrics of a run that failed for the same reason."""

    reason: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkippedMetrics:
    """The metrics without scores in the latest completed run of a study."""

    run: ScoringRequest
    metrics: tuple[str, ...]


def list_requests(study: Study) -> QuerySet[ScoringRequest]:
    """Return the requested runs, newest first, annotated with the numbers of metrics.

    `n_metrics` counts all metrics, `n_failed` those that failed, `n_scored` the others. `computed_seconds` is the time
    spent on all of them, `estimated_seconds` the estimated time of those with an estimate.
    """
    n_failed = Count("metrics", filter=Q(metrics__state=RequestState.FAILED))
    return (
        ScoringRequest.objects.filter(study=study)
        .select_related("study", "requested_by", "judging")
        .annotate(n_metrics=Count("metrics"), n_failed=n_failed, n_scored=F("n_metrics") - F("n_failed"))
        .annotate(computed_seconds=Sum("metrics__seconds", default=0.0))
        .annotate(estimated_seconds=Sum("metrics__estimated_seconds"))
        .order_by("-pk")
    )


def is_partial(request: ScoringRequest) -> bool:
    """Whether a run of `list_requests` is finished although some of its metrics failed."""
    return request.state == RequestState.FINISHED and request.n_failed > 0


def group_gaps(metrics: Sequence[RequestedMetric]) -> tuple[ScoreGap, ...]:
    """Return the failed metrics by reason, the reason that concerns most metrics first."""
    gaps: dict[str, list[str]] = {}
    for each in metrics:
        if each.state == RequestState.FAILED:
            gaps.setdefault(each.message, []).append(each.metric)
    found = (ScoreGap(reason, tuple(names)) for reason, names in gaps.items())
    return tuple(sorted(found, key=lambda gap: (-len(gap.metrics), gap.metrics)))


def find_skipped(study: Study) -> SkippedMetrics | None:
    """Return the metrics that failed in the latest completed run and have had no scores since; None if there are none.

    Scores of another run or of a command count, whatever their parameters.
    """
    ended = (RequestState.FINISHED, RequestState.FAILED)
    latest = ScoringRequest.objects.filter(study=study, state__in=ended).order_by("-pk").first()
    if latest is None:
        return None
    scored = list_runs(study.dataset).filter(finished_at__isnull=False).order_by().values("metric")
    failed = RequestedMetric.objects.filter(request=latest, state=RequestState.FAILED).exclude(metric__in=scored)
    names = tuple(failed.order_by("metric").values_list("metric", flat=True))
    return SkippedMetrics(latest, names) if names else None


def list_asked_metrics(request: ScoringRequest) -> list[RequestedMetric]:
    """Return the metrics of a run in order of id; unfinished metrics of an inactive run get the state of the run."""
    rows = list(RequestedMetric.objects.filter(request=request).order_by("metric"))
    for row in rows:
        if row.state in (RequestState.RUNNING, RequestState.QUEUED) and request.state != RequestState.RUNNING:
            row.state = RequestState(request.state)
    return rows


def list_runs(dataset: Dataset) -> QuerySet[Run]:
    """Return the runs on a dataset's inputs, newest first."""
    digests = ScoringInput.objects.filter(dataset=dataset).values("digest")
    return Run.objects.filter(input_digest__in=digests).order_by("-started_at", "-pk")


def list_scored_metrics(study: Study) -> list[str]:
    """Return the ids of the metrics with a finished run on what a study judges, under any references, in order.

    The scores of caption sets and of single captions of one dataset belong to different studies.
    """
    inputs = ScoringInput.objects.filter(dataset=study.dataset_id, level=find_level(study).value)
    finished = Run.objects.filter(input_digest__in=inputs.values("digest"), finished_at__isnull=False)
    return list(finished.order_by("metric").values_list("metric", flat=True).distinct())


def add_inputs(runs: list[Run], dataset: Dataset) -> list[KeptRun]:
    """Return the runs with the inputs they scored, using one query."""
    stored = ScoringInput.objects.filter(dataset=dataset, digest__in={run.input_digest for run in runs})
    inputs: dict[str, list[str]] = {}
    for digest, level, references in stored.order_by("pk").values_list("digest", "level", "references"):
        inputs.setdefault(digest, []).append(f"{level}s, references {references}")
    return [KeptRun(run, tuple(inputs.get(run.input_digest, ()))) for run in runs]


def find_signature(entry: CatalogEntry) -> str:
    """Return the signature of the newest scores of an installed metric; "" if there are none."""
    return list_signatures([entry]).get(entry.info.id, "")


def list_signatures(entries: Iterable[CatalogEntry]) -> dict[str, str]:
    """Return metric -> the signature of its newest scores by the installed version; metrics without any are omitted."""
    endings = {entry.info.id: f"|v:{entry.info.version}" for entry in entries}
    runs = Run.objects.filter(metric__in=endings).values_list("metric", "signature").annotate(last=Max("pk"))
    return {metric: signature for metric, signature, _ in runs.order_by("last") if signature.endswith(endings[metric])}
