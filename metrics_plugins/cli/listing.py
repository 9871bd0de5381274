"""`list`: list the installed metrics and the refused plugins."""

import json
import math
import sys
from dataclasses import asdict
from typing import Any

from metrics_plugins.runtime import RegisteredMetric, load_registry

_HEADER = ("ID", "LEVEL", "INPUTS", "PLUGIN", "DISTRIBUTION")


def list_metrics(*, as_json: bool) -> int:
    """Print the metrics to standard output and refused plugins to standard error; return 0."""
    registry = load_registry()
    if as_json:
        sys.stdout.write(json.dumps([_describe(registration) for registration in registry], indent=2) + "\n")
    else:
        rows = [_HEADER, *(_make_row(registration) for registration in registry)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            sys.stdout.write("  ".join(cells).rstrip() + "\n")
    for refused in registry.refused:
        sys.stderr.write(" ".join(str(refused).split()) + "\n")
    return 0


def _make_row(registration: RegisteredMetric) -> tuple[str, ...]:
    info = registration.info
    inputs = ",".join(sorted(info.inputs))
    return info.id, info.level.value, inputs, registration.plugin, registration.distribution


def _describe(registration: RegisteredMetric) -> dict[str, Any]:
    info = registration.info
    return {
        **asdict(info),
        "inputs": sorted(info.inputs),
        # JSON cannot represent infinity: null means no bound.
        "bounds": [bound if math.isfinite(bound) else None for bound in info.bounds],
        "plugin": registration.plugin,
        "distribution": registration.distribution,
        "module": registration.module,
    }
