"""The measured speed of each bundled metric, written by `python -m benchmarks.metrics.rates`."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metrics_plugins.api import MetricInfo

RATES: Final = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Rate:
    """A measurement.

    Attributes:
        version: The version of the metric.
        items: The number of rows scored.
        seconds: The CPU time in seconds.
        startup: The CPU time in seconds that a new process needs in addition, for imports and for loading models. For
            metrics that are trained first it is without the imports.
    """

    version: str
    items: int
    seconds: float
    startup: float = 0.0

    @property
    def per_ten_thousand(self) -> float:
        return self.seconds * 10_000 / self.items


def read_rates() -> dict[str, Rate]:
    """Return the measurements by metric id."""
    return {metric: Rate(**rate) for metric, rate in json.loads(RATES.read_text()).items()} if RATES.exists() else {}


def find_rate(info: MetricInfo) -> Rate | None:
    """Return the measurement of this version of a metric with its default parameters; None if there is none."""
    rate = _read_once().get(info.id)
    return rate if rate and rate.version == info.version else None


@cache
def _read_once() -> dict[str, Rate]:
    return read_rates()
