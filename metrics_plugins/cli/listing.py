"""`list`: list the installed metrics and the refused plugins."""

import json
import math
import sys
from dataclasses import asdict
from typing import Any

from metrics_plugins.api.resources import find_missing, list_installs
from metrics_plugins.runtime import RegisteredMetric, load_registry

_HEADER = ("ID", "LEVEL", "INPUTS", "PLUGIN", "DISTRIBUTION", "MISSING")


def list_metrics(*, as_json: bool) -> int:
    """Print the metrics to standard output, and to standard error how to install what is missing and what is refused.

    Return 0.
    """
    registry = load_registry()
    if as_json:
        sys.stdout.write(json.dumps([_describe(registration) for registration in registry], indent=2) + "\n")
    else:
        rows = [_HEADER, *(_make_row(registration) for registration in registry)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            sys.stdout.write("  ".join(cells).rstrip() + "\n")
        missing = {each for registration in registry for each in find_missing(registration.info.resources)}
        if missing:
            sys.stderr.write(f"to install what is missing: {'; '.join(list_installs(missing))}\n")
    for refused in registry.refused:
        sys.stderr.write(" ".join(str(refused).split()) + "\n")
    return 0


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
