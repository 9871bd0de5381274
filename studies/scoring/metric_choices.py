"""The choice of metrics in a study: which ones are enabled, and with which parameters."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from metrics_plugins.api.paths import PathKind
from metrics_plugins.runtime.file_roots import FileRoots, PathRefused
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.access.audit import Actor, record_change
from studies.design.preregistration.declaration import confirm_metric_change
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation
from studies.enums import AuditAction
from studies.models import Study, StudyMetric
from studies.scoring.metric_files import find_roots
from studies.shared.errors import Refusal


class ParametersRefused(Refusal):
    """A metric does not accept these parameters; `problems` maps parameter names to messages."""

    def __init__(self, metric: str, problems: Mapping[str, str]) -> None:
        super().__init__(f"metric {metric}: {'; '.join(problems.values())}")
        self.problems = dict(problems)


def find_disabled(study: Study) -> frozenset[str]:
    """Return the metrics that are disabled in a study."""
    return frozenset(StudyMetric.objects.filter(study=study, is_enabled=False).values_list("metric", flat=True))


def find_signatures(study: Study) -> dict[str, str]:
    """Return the signatures of the scores that a study uses, by metric, for the metrics that it scored itself."""
    return dict(StudyMetric.objects.filter(study=study).exclude(signature="").values_list("metric", "signature"))


def list_choices(study: Study) -> dict[str, StudyMetric]:
    """Return the metric settings of a study by metric id; metrics without any are omitted."""
    return {choice.metric: choice for choice in study.metric_choices.all()}


@transaction.atomic
def switch_metric(
    study: Study, *, metric: str, enabled: bool, actor: Actor, now: datetime, confirmation: Confirmation = NOT_CONFIRMED
) -> bool:
    """Enable or disable a metric in a study; return whether this changed anything.

    Raises:
        DeviationNotConfirmed: A preregistered metric is disabled, and this is not confirmed.
    """
    choice, _ = StudyMetric.objects.select_for_update().get_or_create(study=study, metric=metric)
    if choice.is_enabled == enabled:
        return False
    told = {"what": f"metric {metric}", "was": "enabled", "now": "disabled"}
    deviating = {} if enabled else confirm_metric_change(study, metric, **told, confirmation=confirmation)
    choice.is_enabled = enabled
    choice.save(update_fields=["is_enabled"])
    details = {"metric": metric, "enabled": enabled, **deviating}
    record_change(study, actor=actor, action=AuditAction.METRIC_SWITCHED, now=now, details=details)
    return True


@transaction.atomic
def set_parameters(
    study: Study,
    *,
    entry: CatalogEntry,
    params: Mapping[str, Any],
    actor: Actor,
    now: datetime,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> dict[str, Any]:
    """Set a metric's parameters for its next run; return those that differ from the defaults, as stored.

    Raises:
        ParametersRefused: A parameter is unknown, or its value is not allowed.
        DeviationNotConfirmed: The metric is preregistered, and the change is not confirmed.
    """
    kept = check_parameters(entry, params, files=find_roots(study.dataset))
    choice, _ = StudyMetric.objects.select_for_update().get_or_create(study=study, metric=entry.info.id)
    if choice.params == kept:
        return kept
    told = {"what": f"parameters of {entry.info.id}", "was": _print_params(choice.params), "now": _print_params(kept)}
    deviating = confirm_metric_change(study, entry.info.id, **told, confirmation=confirmation)
    details = {"metric": entry.info.id, "was": choice.params, "is": kept, **deviating}
    choice.params = kept
    choice.save(update_fields=["params"])
    record_change(study, actor=actor, action=AuditAction.METRIC_SET, now=now, details=details)
    return kept


def _print_params(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(params.items())) or "defaults"


def choose_signatures(study: Study, signatures: Mapping[str, str]) -> None:
    """Select the scores that results use, for metrics scored with several parameters."""
    for metric, signature in signatures.items():
        StudyMetric.objects.update_or_create(study=study, metric=metric, defaults={"signature": signature})


def check_parameters(entry: CatalogEntry, params: Mapping[str, Any], *, files: FileRoots) -> dict[str, Any]:
    """Return the parameters that differ from a metric's defaults, each of the type that it declares.

    A parameter declared as a path must name something in the folders of `files`, so that pages give no access to other
    files readable by the server's account. It is stored unchanged, and resolved again when the metric is built.

    Raises:
        ParametersRefused: A parameter is unknown, or its value is not allowed.
    """
    known = {parameter.name: parameter for parameter in entry.parameters}
    problems = {}
    kept = {}
    for name, value in params.items():
        if name not in known:
            problems[name] = f"unknown parameter {name} (known: {', '.join(known) or 'none'})"
            continue
        try:
            read = known[name].read(value)
            if known[name].path and isinstance(read, str) and read != known[name].default:
                files.resolve(name, PathKind(known[name].path), read)
        except (ValueError, PathRefused) as error:
            problems[name] = str(error)
            continue
        if read != known[name].default or type(read) is not type(known[name].default):
            kept[name] = read
    if problems:
        raise ParametersRefused(entry.info.id, problems)
    return kept
