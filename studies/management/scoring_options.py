"""Reads the scoring options from the arguments of `score`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from metrics_plugins.cli.arguments.parameters import parse_params
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.readers import read_corpus
from studies.management.printing.results import find_study, split_names
from studies.scoring.errors import ScoringFailed
from studies.scoring.plugins.catalog import load_plugins
from studies.scoring.study_scoring import ScoringOptions

Params = dict[str, dict[str, object]]


def read_scoring_options(chosen: Mapping[str, Any]) -> ScoringOptions:
    """Return the options for the arguments.

    Raises:
        ScoringFailed: An argument is invalid.
        InputError: The corpus is invalid.
        UnknownMetric: A requested metric is not installed.
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
    """Return the parameters given by `--param METRIC.NAME=VALUE`, by metric.

    Args:
        assignments: The values of the option.
        metrics: The ids of the requested metrics; empty for all installed ones.

    Raises:
        ScoringFailed: An assignment is malformed, or is for a metric that was not requested.
        UnknownMetric: A requested metric is not installed.
    """
    if not assignments:
        return {}
    registry = load_plugins()
    try:
        parsed = parse_params(assignments, metric_ids=metrics or list(registry.metrics), registry=registry)
    except UsageError as error:
        raise ScoringFailed(str(error)) from error
    return {metric: params for metric, params in parsed.items() if params}
