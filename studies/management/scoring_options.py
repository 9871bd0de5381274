"""How to score, as the arguments of `score` say it."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.parameters import parse_params
from metrics_plugins.readers import read_corpus
from studies.management.printing.results import find_study, split_names
from studies.scoring.errors import ScoringFailed
from studies.scoring.plugin_catalog import load_plugins
from studies.scoring.scoring import ScoringOptions

Params = dict[str, dict[str, object]]


def read_scoring_options(chosen: Mapping[str, Any]) -> ScoringOptions:
    """Return the options that the arguments choose.

    Raises:
        ScoringFailed: An argument breaks its rule.
        InputError: The corpus breaks a rule.
        UnknownMetric: No installed plugin has a metric that was asked for.
    """
    return ScoringOptions(
        chunk_size=chosen["chunk_size"],
        processes=settings.ACCORDANCE_SCORING_PROCESSES or os.cpu_count() or 1,
        corpus=read_corpus(chosen["corpus"]) if chosen["corpus"] else None,
        device=chosen["device"],
        judging=find_study(chosen["judgments"]) if chosen["judgments"] else None,
        params=read_params(chosen["param"], metrics=split_names(chosen["metrics"])),
    )


def read_params(assignments: Sequence[str], *, metrics: Sequence[str]) -> Params:
    """Return what `--param METRIC.NAME=VALUE` sets, by metric.

    Args:
        assignments: As they were typed.
        metrics: The ids that were asked for; all installed ones if none was.

    Raises:
        ScoringFailed: One has another form, or is of a metric that was not asked for.
        UnknownMetric: No installed plugin has a metric that was asked for.
    """
    if not assignments:
        return {}
    registry = load_plugins()
    try:
        parsed = parse_params(assignments, metric_ids=metrics or list(registry.metrics), registry=registry)
    except UsageError as error:
        raise ScoringFailed(str(error)) from error
    return {metric: params for metric, params in parsed.items() if params}
