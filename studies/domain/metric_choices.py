"""What a study chose of the metrics that there are: which are switched on, and what they are built with."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from metrics_plugins.guarding import CatalogEntry
from studies.domain.auditing import Actor, record_change
from studies.domain.plugin_catalog import get_folder
from studies.enums import AuditAction
from studies.models import Study, StudyMetric


class ParametersRefused(Exception):
    """A metric does not take these parameters; `problems` has a sentence by name of the parameter."""

    def __init__(self, metric: str, problems: Mapping[str, str]) -> None:
        super().__init__(f"metric {metric}: {'; '.join(problems.values())}")
        self.problems = dict(problems)


def find_disabled(study: Study) -> frozenset[str]:
    """Return the metrics that are switched off in a study."""
    return frozenset(StudyMetric.objects.filter(study=study, is_enabled=False).values_list("metric", flat=True))


def find_signatures(study: Study) -> dict[str, str]:
    """Return the signature of the scores that a study uses, of each metric that it scored itself."""
    return dict(StudyMetric.objects.filter(study=study).exclude(signature="").values_list("metric", "signature"))


def list_choices(study: Study) -> dict[str, StudyMetric]:
    """Return what a study chose, by metric; metrics that nothing was chosen for are not there."""
    return {choice.metric: choice for choice in study.metric_choices.all()}


@transaction.atomic
def switch_metric(study: Study, *, metric: str, enabled: bool, actor: Actor, now: datetime) -> bool:
    """Switch a metric on or off for a study; return whether that changed anything."""
    choice, _ = StudyMetric.objects.select_for_update().get_or_create(study=study, metric=metric)
    if choice.is_enabled == enabled:
        return False
    choice.is_enabled = enabled
    choice.save(update_fields=["is_enabled"])
    details = {"metric": metric, "enabled": enabled}
    record_change(study, actor=actor, action=AuditAction.METRIC_SWITCHED, now=now, details=details)
    return True


@transaction.atomic
def set_parameters(
    study: Study, *, entry: CatalogEntry, params: Mapping[str, Any], actor: Actor, now: datetime
) -> dict[str, Any]:
    """Choose what the next run of a metric is built with; return what differs from its defaults, as it is kept.

    Raises:
        ParametersRefused: The metric takes no such parameter, or no such value.
    """
    kept = check_parameters(entry, params)
    choice, _ = StudyMetric.objects.select_for_update().get_or_create(study=study, metric=entry.info.id)
    if choice.params == kept:
        return kept
    details = {"metric": entry.info.id, "was": choice.params, "is": kept}
    choice.params = kept
    choice.save(update_fields=["params"])
    record_change(study, actor=actor, action=AuditAction.METRIC_SET, now=now, details=details)
    return kept


def choose_signatures(study: Study, signatures: Mapping[str, str]) -> None:
    """Let results use these scores of metrics of which other scores may be there, by other parameters."""
    for metric, signature in signatures.items():
        StudyMetric.objects.update_or_create(study=study, metric=metric, defaults={"signature": signature})


def check_parameters(entry: CatalogEntry, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from a metric's defaults, each of the type that it declares.

    A text that names a file must name one of the plugins folder: a page must not be a way to what else the server's
    account can read. Commands, whose user could read it anyway, take any.

    Raises:
        ParametersRefused: The metric takes no such parameter, or no such value.
    """
    known = {parameter.name: parameter for parameter in entry.parameters}
    problems = {}
    kept = {}
    for name, value in params.items():
        if name not in known:
            problems[name] = f"it takes no parameter {name} (it takes: {', '.join(known) or 'none'})"
            continue
        try:
            read = known[name].read(value)
            _check_paths(name, read)
        except ValueError as error:
            problems[name] = str(error)
            continue
        if read != known[name].default or type(read) is not type(known[name].default):
            kept[name] = read
    if problems:
        raise ParametersRefused(entry.info.id, problems)
    return kept


def _check_paths(name: str, value: object) -> None:
    if not isinstance(value, str):
        return
    allowed = get_folder().resolve()
    # A text may hold several paths, or one behind a name.
    for part in re.split(r"[,;:=|]", value):
        path = Path(part.strip()).expanduser()
        if part.strip() and _exists(path) and not path.resolve().is_relative_to(allowed):
            raise ValueError(f"{name} must name a file of the plugins folder, got {part.strip()}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
