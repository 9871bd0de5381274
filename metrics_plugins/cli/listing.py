"""`list`: list the installed metrics and the refused plugins, or print the cards of some metrics."""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from metrics_plugins.api.resources import find_missing, list_installs
from metrics_plugins.cli.cards import format_card
from metrics_plugins.cli.output import indent_lines
from metrics_plugins.cli.plugins import load_plugins
from metrics_plugins.runtime import RegisteredMetric, Registry
from metrics_plugins.text.terminal import align_columns

_HEADER = ("ID", "LEVEL", "INPUTS", "PLUGIN", "DISTRIBUTION", "MISSING")


def list_metrics(metric_ids: Sequence[str] = (), *, as_json: bool, plugins: Sequence[Path] = ()) -> int:
    """Print the metrics to standard output and refused plugins to standard error; return 0.

    If the list goes to a terminal, how to install what is missing follows on standard error.

    Args:
        metric_ids: The metrics whose cards are printed; if empty, all metrics are listed, one per line.
        as_json: Whether to print every field of these metrics, or of all, as JSON.
        plugins: Plugin files that are not installed; without `metric_ids`, only their metrics are listed.

    Raises:
        UnknownMetric: An id is unknown.
        PluginError: A plugin file is not valid.
    """
    registry = load_plugins(plugins)
    chosen = [registry.get(metric_id) for metric_id in metric_ids]
    listed = [each for each in registry if each.is_single_file or not plugins]
    if as_json:
        sys.stdout.write(json.dumps([_describe(registration) for registration in chosen or listed], indent=2) + "\n")
    elif chosen:
        cards = [format_card(each, signature=_find_signature(registry, each.info.id)) for each in chosen]
        sys.stdout.write("\n".join(cards))
    else:
        rows = [_HEADER, *(_make_row(registration) for registration in listed)]
        sys.stdout.writelines(f"{line}\n" for line in align_columns(rows))
        missing = {each for registration in listed for each in find_missing(registration.info.resources)}
        if missing and sys.stdout.isatty():
            sys.stderr.write(f"to install what is missing: {'; '.join(list_installs(missing))}\n")
    if not plugins:
        sys.stderr.writelines(f"{indent_lines(str(refused))}\n" for refused in registry.refused)
    return 0


def _find_signature(registry: Registry, metric_id: str) -> str:
    try:
        return str(registry.build(metric_id).signature)
    except Exception as error:  # a plugin may raise anything while it is built
        return f"not available: {' '.join(str(error).split()) or type(error).__name__}"


def _make_row(registration: RegisteredMetric) -> tuple[str, ...]:
    info = registration.info
    inputs = ",".join(sorted(info.inputs))
    missing = ", ".join(map(str, find_missing(info.resources)))
    return info.id, info.level.value, inputs, registration.plugin, registration.distribution, missing


def _describe(registration: RegisteredMetric) -> dict[str, Any]:
    info = registration.info
    missing = find_missing(info.resources)
    return {
        **asdict(info),
        "bibtex": info.card.bibtex if info.card else "",
        "inputs": sorted(info.inputs),
        "resources": [str(each) for each in info.resources],
        "available": not missing,
        "missing": [str(each) for each in missing],
        "install": list_installs(missing),
        # JSON cannot represent infinity: null means no bound.
        "bounds": [bound if math.isfinite(bound) else None for bound in info.bounds],
        "plugin": registration.plugin,
        "distribution": registration.distribution,
        "module": registration.module,
    }
