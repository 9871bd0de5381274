"""Computes what studies of several sizes cost: `python -m benchmarks.costs` prints the tables of docs/scaling.md.

All numbers follow from measured constants: the speeds in `metrics_plugins/runtime/rates.json`, sizes of stored scores,
and the processor time of a judgment (`python -m benchmarks.studies.judgment_costs`).
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from metrics_plugins.runtime.rates import read_rates  # noqa: E402

METRICS: Final = ("bleu-4", "cider-d", "meteor", "spice")
CAPTIONS: Final = (10**6, 10**8, 10**10)
RATERS: Final = (10**3, 10**5)

FLOAT_BYTES: Final = 8
STATISTICS: Final = {"bleu-4": 10}
"""Metric -> numbers stored for each caption beside its score, from which the score of a system is computed."""

PARQUET_BYTES: Final = {"bleu-4": 1.4, "cider-d": 9.1}
"""Metric -> bytes of a score in Parquet: a partition of 50,000 captions of COCO, compressed by Zstandard."""

PARQUET_ROW_BYTES: Final = 18.9
"""Bytes of a row of the same partition without its scores: number, image and caption."""

THINK_SECONDS: Final = 20.0
"""The time of a rater for a task."""

DAY: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class JudgmentCost:
    """The cost of a judgment, which is a submitted pair with the page of the next one.

    Attributes:
        web_ms: Processor time of the web processes in milliseconds.
        database_ms: Processor time of PostgreSQL in milliseconds.
        writes: Rows written: the judgment, the submitted assignment, its successor, and the successor's slot.
        commits: Transactions that wait for the disk.
    """

    web_ms: float
    database_ms: float
    writes: int = 4
    commits: int = 1


@dataclass(frozen=True, slots=True)
class Machine:
    """What one machine offers, for the first limit that is met.

    Attributes:
        cores: The number of cores.
        disk_bytes: The space for scores.
        seconds: The longest acceptable time of a run.
    """

    cores: int = 2
    disk_bytes: float = 1e12
    seconds: float = DAY


@dataclass(frozen=True, slots=True)
class CaptionCost:
    """The cost of scoring a number of captions by some metrics.

    Attributes:
        core_seconds: Processor time in seconds.
        database_bytes: The scores in the database.
        parquet_bytes: The scores in Parquet, with the captions.
    """

    core_seconds: float
    database_bytes: float
    parquet_bytes: float


@dataclass(frozen=True, slots=True)
class TrafficCost:
    """The cost of raters who work at the same time.

    Attributes:
        judgments: Judgments per second.
        web_cores: Cores that the web processes keep busy.
        database_cores: Cores that PostgreSQL keeps busy.
        writes: Rows written per second.
        commits: Transactions per second that wait for the disk.
    """

    judgments: float
    web_cores: float
    database_cores: float
    writes: float
    commits: float


def compute_captions(n_captions: int, *, metrics: Sequence[str]) -> CaptionCost:
    """Return the cost of scoring captions; a metric whose scores in Parquet were not measured needs 9.1 bytes."""
    rates = read_rates()
    seconds = sum(rates[metric].seconds / rates[metric].items for metric in metrics)
    numbers = sum(1 + STATISTICS.get(metric, 0) for metric in metrics)
    parquet = PARQUET_ROW_BYTES + sum(PARQUET_BYTES.get(metric, max(PARQUET_BYTES.values())) for metric in metrics)
    return CaptionCost(n_captions * seconds, n_captions * FLOAT_BYTES * numbers, n_captions * parquet)


def compute_traffic(n_raters: int, cost: JudgmentCost, *, think: float = THINK_SECONDS) -> TrafficCost:
    """Return the cost of raters who submit a task every `think` seconds."""
    rate = n_raters / think
    return TrafficCost(
        judgments=rate,
        web_cores=rate * cost.web_ms / 1000,
        database_cores=rate * cost.database_ms / 1000,
        writes=rate * cost.writes,
        commits=rate * cost.commits,
    )


def find_first_limit(cost: CaptionCost, machine: Machine) -> str:
    """Return the limit of a machine that is exceeded most, or "none"."""
    shares = {
        "processor time": cost.core_seconds / (machine.cores * machine.seconds),
        "disk": cost.database_bytes / machine.disk_bytes,
    }
    name, share = max(shares.items(), key=lambda entry: entry[1])
    return name if share > 1 else "none"


def find_machines(cost: CaptionCost, machine: Machine) -> int:
    """Return how many such machines finish in the acceptable time."""
    return ceil(cost.core_seconds / (machine.cores * machine.seconds))


def write_rates() -> str:
    """Return the table of the speeds and sizes of each metric."""
    rates = read_rates()
    lines = [
        "| metric | captions a second on a core | bytes of a score: database | Parquet |",
        "| --- | --- | --- | --- |",
    ]
    for metric in METRICS:
        rate = rates[metric].items / rates[metric].seconds
        size = FLOAT_BYTES * (1 + STATISTICS.get(metric, 0))
        parquet = PARQUET_BYTES.get(metric)
        lines.append(f"| `{metric}` | {rate:,.0f} | {size} | {parquet if parquet else 'not measured'} |")
    return "\n".join(lines)


def write_captions(machine: Machine) -> str:
    """Return the table of the cost of captions, for all four metrics and without SPICE."""
    lines = [
        "| captions | metrics | core hours | database GB | Parquet GB | "
        f"first limit of {machine.cores} cores, 1 TB and a day | such machines for a day |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for n_captions in CAPTIONS:
        for metrics, name in ((METRICS[:-1], "all but SPICE"), (METRICS, "all four")):
            cost = compute_captions(n_captions, metrics=metrics)
            sizes = (cost.core_seconds / 3600, cost.database_bytes / 1e9, cost.parquet_bytes / 1e9)
            cells = [_write_power(n_captions), name, *(f"{size:,.1f}" for size in sizes)]
            lines.append(
                f"| {' | '.join(cells)} | {find_first_limit(cost, machine)} | {find_machines(cost, machine)} |"
            )
    return "\n".join(lines)


def write_traffic(costs: Sequence[tuple[str, JudgmentCost]]) -> str:
    """Return the table of the cost of raters at several costs of a judgment, each with its name."""
    lines = [
        "| raters | a judgment costs | judgments a second | busy cores: web | database | rows written a second | "
        "commits a second |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for n_raters in RATERS:
        for name, cost in costs:
            traffic = compute_traffic(n_raters, cost)
            cells = [_write_power(n_raters), name, f"{traffic.judgments:,.0f}"]
            cells += [f"{traffic.web_cores:.1f}", f"{traffic.database_cores:.1f}"]
            lines.append(f"| {' | '.join(cells)} | {traffic.writes:,.0f} | {traffic.commits:,.0f} |")
    return "\n".join(lines)


MEASURED: Final = (
    ("4.9 + 1.3 ms", JudgmentCost(web_ms=4.88, database_ms=1.25)),
    ("9.5 + 2.3 ms", JudgmentCost(web_ms=9.5, database_ms=2.25)),
)
"""The processor time of a pair on an idle machine and at a load of 20: of the web process and of PostgreSQL."""


def write_tables() -> list[str]:
    """Return the three tables in the order of the page."""
    return [write_rates(), write_captions(Machine()), write_traffic(MEASURED)]


def _write_power(number: int) -> str:
    return f"10^{len(str(number)) - 1}"


if __name__ == "__main__":
    print("\n\n".join(write_tables()))
