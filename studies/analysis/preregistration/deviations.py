"""Deviations of a study from its preregistration, in its design and in what its results use."""

from collections.abc import Sequence, Set

from correlation.protocols.reading import ProtocolUnknown
from studies.design.preregistration.declaration import Analysis, list_deviations
from studies.design.preregistration.deviations import Deviation, load_plan
from studies.design.protocols import find_level, find_rule
from studies.enums import AuditAction
from studies.models import AuditEntry, Run, ScoringInput, Study
from studies.scoring.metric_choices import find_disabled
from studies.scoring.references import expand_rule


def list_study_deviations(study: Study) -> tuple[Deviation, ...]:
    """Return the deviations of the study with its own protocol and metrics; empty without a preregistration."""
    metrics = list_used_metrics(study)
    done = Analysis(protocol=study.protocol, metrics=metrics, tried=_list_tried(study, scored=metrics))
    return list_deviations(study, analysis=done)


def list_planned_metrics(study: Study) -> list[str]:
    """Return the preregistered metrics that have scores, which a report takes by default; empty without any."""
    plan = load_plan(study)
    return [metric for metric in list_used_metrics(study) if metric in plan["metrics"]] if plan else []


def list_used_metrics(study: Study) -> list[str]:
    """Return the metrics used in the study's results, which excludes those only scored for other studies.

    They are enabled, and have finished scores for all references that the protocol selects.
    """
    try:
        selections = expand_rule(find_rule(study), dataset=study.dataset)
    except ProtocolUnknown:
        return []
    level = find_level(study)
    used = [_list_finished(study, level=level.value, references=str(selection)) for selection in selections]
    return sorted(set.intersection(*used) - find_disabled(study))


def _list_tried(study: Study, *, scored: Sequence[str]) -> Set[str]:
    """Return the metrics that were run in studies of simulated judgments, and in no other study of the dataset."""
    runs = AuditEntry.objects.filter(study__dataset=study.dataset_id, action=AuditAction.SCORED)
    tried: Set[str] = set()
    asked: Set[str] = set()
    for trial_of, details in runs.values_list("study__simulation_of", "details"):
        metrics = details.get("metrics", ())
        names = set(scored) if metrics == "all" else set(metrics)
        tried, asked = (tried, asked | names) if trial_of is None else (tried | names, asked)
    return tried - asked


def _list_finished(study: Study, *, level: str, references: str) -> set[str]:
    inputs = ScoringInput.objects.filter(dataset=study.dataset_id, level=level, references=references)
    newest = inputs.order_by("-created_at", "-pk").values("digest")[:1]
    finished = Run.objects.filter(input_digest__in=newest, finished_at__isnull=False)
    return set(finished.values_list("metric", flat=True))
