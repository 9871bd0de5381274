"""Scoring of chunks, in this process or in others. Knows metrics only: no worker touches the database."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from correlation.resampling.parallel import follow_parent
from metrics_plugins.api import Batch, Metric
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import run_metric
from metrics_plugins.runtime.peak_memory import UNKNOWN_PEAK, PeakMemory, take_peak_memory

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkJob:
    """Rows to be scored by some metrics, which share what they derive from the batch."""

    index: int
    batch: Batch
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkResult:
    """What one metric said of one chunk; `error` is empty if it gave scores.

    `n_infinite`: how many scores were infinite, and are NaN in `values`. `lacks_resource`: the error is that something
    is not installed here which the metric needs. `peak`: the most memory of the process up to then, whatever it scored
    before.
    """

    metric: str
    index: int
    seconds: float
    values: Values | None = None
    statistics: Values | None = None
    n_infinite: int = 0
    error: str = ""
    lacks_resource: bool = False
    peak: PeakMemory = UNKNOWN_PEAK


class ChunkScorer:
    """Scores jobs with metrics that are ready to score."""

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self.metrics = metrics

    def __call__(self, job: ChunkJob) -> list[ChunkResult]:
        return [self._score(job, name) for name in job.metrics]

    def _score(self, job: ChunkJob, name: str) -> ChunkResult:
        # Begins the count of the accelerator's memory anew.
        take_peak_memory()
        started = perf_counter()
        try:
            run = run_metric(self.metrics[name], job.batch, rng=np.random.default_rng(0))
        except MissingResource as error:
            seconds = perf_counter() - started
            return ChunkResult(name, job.index, seconds, error=str(error), lacks_resource=True)
        except Exception as error:
            # One broken metric must not take the others down: its error is shown at the end.
            reason = f"{type(error).__name__}: {error}"
            return ChunkResult(name, job.index, perf_counter() - started, error=reason)
        seconds = perf_counter() - started
        return ChunkResult(
            name,
            job.index,
            seconds,
            run.scores.values,
            run.statistics,
            n_infinite=run.n_infinite,
            peak=take_peak_memory(),
        )


class SerialExecutor(Executor):
    """Runs each call at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def score_jobs(
    jobs: Iterable[ChunkJob], *, metrics: Mapping[str, Metric], n_jobs: int, processes: int
) -> Iterator[list[ChunkResult]]:
    """Yield the results of each job as it is done, in any order.

    Args:
        jobs: Taken one by one, only as fast as they are scored: their batches are never in memory all at once.
        metrics: Ready to score, by name; each worker process receives them once.
        n_jobs: How many jobs there are.
        processes: How many worker processes may be used; starting them pays only for several jobs.
    """
    workers = min(processes, n_jobs)
    if workers <= 1 or n_jobs <= 2:
        yield from _submit(jobs, executor=SerialExecutor(), score=ChunkScorer(metrics), most_waiting=1)
        return
    # Spawned, not forked: a fork would share this process's database connection and copy its locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(metrics,)) as pool:
        yield from _submit(jobs, executor=pool, score=_score_in_worker, most_waiting=2 * workers)


def _submit(
    jobs: Iterable[ChunkJob], *, executor: Executor, score: Callable[[ChunkJob], list[ChunkResult]], most_waiting: int
) -> Iterator[list[ChunkResult]]:
    waiting: set[Future[list[ChunkResult]]] = set()
    for job in jobs:
        waiting.add(executor.submit(score, job))
        if len(waiting) >= most_waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


_worker: ChunkScorer | None = None
"""The scorer of this worker process: what a pool's initializer leaves behind has no other place."""


def _start_worker(metrics: Mapping[str, Metric]) -> None:
    global _worker
    _worker = ChunkScorer(metrics)
    follow_parent()


def _score_in_worker(job: ChunkJob) -> list[ChunkResult]:
    if _worker is None:
        raise RuntimeError("this process was not started as a scoring worker")
    return _worker(job)
