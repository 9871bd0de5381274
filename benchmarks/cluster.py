"""Compares a Dask cluster with one process and with a process pool: `python -m benchmarks.cluster [--items N]`.

The same captions of COCO are scored by the same metrics inline, by one and by two processes, and by a real cluster of
one and of two workers: a scheduler and workers as separate processes. Executors are started and used once before the
time is taken. The captions are scored in parts, each part by all executors in turn, so that other work of the machine
slows all of them. With `--environments` scheduler and workers run in these virtual environments, and with
`--namespaces` (as root) in network namespaces of their own. The exit status is 1 if a score differs in any bit.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coco_captions import batch_items, read_items
from benchmarks.places import add_place_arguments, choose_places
from benchmarks.running_cluster import run_cluster
from execution.factory import count_places, make_executor
from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.runtime import fit_metric, load_registry
from metrics_plugins.runtime.chunks import cut_chunks
from metrics_plugins.runtime.executors import score_chunks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from metrics_plugins.runtime.chunks import Chunk

METRICS = "bleu-4,rouge-l,cider-d,meteor,spice"
WORKERS = 2
MOST_OVERHEAD = 0.15


def fit_all(names: list[str], rows: Batch) -> dict[str, Metric]:
    """Return the metrics, fitted on the references of the rows where they need it."""
    registry = load_registry(strict=True)
    ready: dict[str, Metric] = {}
    for name in names:
        built = registry.build(name)
        is_open = isinstance(built, Fittable)
        ready[name] = fit_metric(built, rows, rng=np.random.default_rng(0)) if is_open else built
    return ready


@dataclass
class Measured:
    """An executor, the seconds that it took, and the digest of all scores."""

    executor: Executor
    most_waiting: int
    seconds: list[float] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)

    def score(self, metrics: dict[str, Metric], chunks: Sequence[Chunk]) -> None:
        started = time.perf_counter()
        found = score_chunks(chunks, metrics=metrics, executor=self.executor, most_waiting=self.most_waiting)
        results = list(found)
        self.seconds.append(time.perf_counter() - started)
        for result in sorted(results, key=lambda each: (each.metric, each.index)):
            if result.values is None:
                raise SystemExit(f"{result.metric}, chunk {result.index}: {result.error}")
            self.digest.update(f"{result.metric} {result.index} ".encode() + result.values.tobytes())


def start_executors(chosen: argparse.Namespace, stack: ExitStack) -> dict[str, Measured]:
    """Return started executors by name, which the stack stops; the clusters do not share workers."""
    places, _ = choose_places(chosen, n_workers=WORKERS, stack=stack)
    executors = {"inline": Measured(stack.enter_context(make_executor("inline")), 1)}
    for workers in (1, WORKERS):
        pool = stack.enter_context(make_executor("processes", workers=workers))
        executors[f"processes, {workers}"] = Measured(pool, count_places(pool, workers=workers))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(run_cluster(folder, n_workers=workers, places=places))
        cluster.wait_for_workers(workers)
        os.environ["ACCORDANCE_DASK"] = cluster.address
        dask = stack.enter_context(make_executor("dask"))
        executors[f"dask, {workers}"] = Measured(dask, count_places(dask, workers=workers))
    return executors


def compare(
    executors: dict[str, Measured], metrics: dict[str, Metric], rows: Batch, *, n_parts: int, size: int
) -> None:
    """Score all rows by each executor, in parts."""
    names = tuple(metrics)
    for measured in executors.values():
        warm = cut_chunks(rows.select(range(min(len(rows), 4 * WORKERS))), names, size=1)
        list(score_chunks(warm, metrics=metrics, executor=measured.executor, most_waiting=measured.most_waiting))
    for part in np.array_split(np.arange(len(rows)), n_parts):
        chunks = cut_chunks(rows.select(part), names, size=size)
        for name, measured in executors.items():
            measured.score(metrics, chunks)
            print(f"{len(part)} captions: {name} {measured.seconds[-1]:.1f} s", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare a Dask cluster with one process and with a process pool.")
    parser.add_argument("--items", type=int, default=40_000, help="captions, with four references each")
    parser.add_argument("--metrics", default=METRICS, metavar="A,B", help="default: %(default)s")
    parser.add_argument("--chunk-size", type=int, default=1000, metavar="ROWS")
    parser.add_argument("--parts", type=int, default=5, help="parts scored by all in turn (default: %(default)s)")
    add_place_arguments(parser)
    chosen = parser.parse_args()
    rows = batch_items(read_items(chosen.items))
    metrics = fit_all(chosen.metrics.split(","), rows)
    with ExitStack() as stack:
        executors = start_executors(chosen, stack)
        compare(executors, metrics, rows, n_parts=chosen.parts, size=chosen.chunk_size)
    print(f"{len(rows):,} captions x {chosen.metrics}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, measured in executors.items():
        print(f"{name:14} {sum(measured.seconds):8.1f} s   {measured.digest.hexdigest()[:16]}")
    for workers in (1, WORKERS):
        ratios = np.divide(executors[f"dask, {workers}"].seconds, executors[f"processes, {workers}"].seconds) - 1
        told = f"{np.median(ratios):+.1%}, of the parts {ratios.min():+.1%} to {ratios.max():+.1%}"
        print(
            f"overhead of Dask over the process pool, {workers} at work: {told} (at most {MOST_OVERHEAD:.0%} is wanted)"
        )
    for kind in ("processes", "dask"):
        share = sum(executors[f"{kind}, {WORKERS}"].seconds) / sum(executors[f"{kind}, 1"].seconds)
        print(f"{kind}: {WORKERS} workers take {share:.2f} of the time of 1")
    is_equal = len({measured.digest.hexdigest() for measured in executors.values()}) == 1
    print(f"equal bytes: {'yes' if is_equal else 'NO'}")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
