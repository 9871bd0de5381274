"""Generates docs/metrics.md from the registry: `python -m benchmarks.metrics.table`.

Metrics without a measurement of their current version are measured first (`benchmarks/metrics/rates.py`), which takes
up to a few minutes each. With `--no-measuring` they are left out, and the command fails if there are any.
"""

from __future__ import annotations

import argparse
import inspect
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from benchmarks.metrics.rates import list_bundled, list_unmeasured, update_rates
from metrics_plugins.api import FitsOn
from metrics_plugins.api.signature import format_value
from metrics_plugins.runtime import RegisteredMetric
from metrics_plugins.runtime.rates import Rate, read_rates

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
COMMAND = "python -m benchmarks.metrics.table"
COLUMNS = ("id", "title", "level", "inputs", "bounds", "better", "defaults", "variants", "citation", "seconds")
INTRODUCTION = f"""# Metrics

This page lists the metrics that are included in Accordance. `{COMMAND}` generates it from the
registry, and a test fails if it is out of date. `python -m metrics_plugins list --json` lists all installed metrics,
including those of other packages.

- *level*: the unit of one score: a candidate (segment), a caption set (set) or a system (corpus).
- *inputs*: what the metric reads, what it is fitted on before it scores (*fits on*), and what must be installed in
  addition to Python packages (*needs*).
- *bounds*: lowest and highest score. *better*: whether higher or lower scores are better.
- *defaults*: the parameters, set by `--param ID.NAME=VALUE`. *variants*: the other possible values.
- *seconds*: time on one ordinary processor for 10,000 candidates with four references, or 10,000 sets of five captions,
  for this metric alone, including tokenising and fitting (but not the training of metrics that store their weights).
  Metrics that run together share derived features.
"""


def format_page(rates: Mapping[str, Rate]) -> str:
    """Return the page: an introduction, then a table for each family."""
    families: dict[str, list[RegisteredMetric]] = {}
    for registration in list_bundled():
        families.setdefault(registration.plugin, []).append(registration)
    parts = [INTRODUCTION]
    for family, registrations in sorted(families.items()):
        rows = [" | ".join(COLUMNS), " | ".join("---" for _ in COLUMNS)]
        rows += [" | ".join(_make_cells(each, rates.get(each.info.id))) for each in registrations]
        parts.append(f"## {family.replace('_', ' ')}\n\n" + "\n".join(f"| {row} |" for row in rows) + "\n")
    return "\n".join(parts)


def _make_cells(registration: RegisteredMetric, rate: Rate | None) -> list[str]:
    info = registration.info
    inputs = ", ".join(sorted(info.inputs))
    if info.fits_on is not FitsOn.NOTHING:
        inputs += f"; fits on {info.fits_on}"
    if info.resources:
        inputs += f"; needs {', '.join(map(str, info.resources))}"
    parameters = list(inspect.signature(registration.metric_class.build).parameters.values())[1:]
    hints = get_type_hints(registration.metric_class.build)
    cells = [
        f"`{info.id}`",
        info.title,
        info.level.value,
        inputs,
        f"{_format_bound(info.bounds[0])} to {_format_bound(info.bounds[1])}",
        "higher" if info.higher_is_better else "lower",
        ", ".join(f"`{each.name}={_format_default(each.default)}`" for each in parameters) or "none",
        "; ".join(f"`{each.name}`: {_format_hint(hints[each.name])}" for each in parameters) or "none",
        info.citation,
        "" if rate is None else f"{rate.per_ten_thousand:.2g}" if rate.per_ten_thousand < 10 else _round(rate),
    ]
    return [cell.replace("|", "\\|") for cell in cells]


def _round(rate: Rate) -> str:
    return f"{rate.per_ten_thousand:,.0f}"


def _format_bound(bound: float) -> str:
    return f"{bound:g}" if math.isfinite(bound) else ("∞" if bound > 0 else "-∞")


def _format_default(value: Any) -> str:
    return format_value(value) if isinstance(value, str | int | float) else str(value).lower()


def _format_hint(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(f"`{_format_default(value)}`" for value in get_args(hint))
    if get_args(hint):
        return " or ".join(_format_hint(part) for part in get_args(hint))
    names = {int: "a whole number", float: "a number", bool: "`yes` or `no`", str: "a name", type(None): "`none`"}
    return names.get(hint, getattr(hint, "__name__", str(hint)))


def main() -> int:
    """Measure metrics if needed, and write the page; return 1 if measuring was needed but disabled."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--no-measuring", action="store_true", help="only write the page")
    arguments = parser.parse_args()
    unmeasured = list_unmeasured(read_rates())
    if unmeasured and not arguments.no_measuring:
        update_rates(unmeasured)
        unmeasured = []
    PAGE.write_text(format_page(read_rates()))
    if unmeasured:
        print(f"not measured: {', '.join(unmeasured)}", file=sys.stderr)
    return 1 if unmeasured else 0


if __name__ == "__main__":
    sys.exit(main())
