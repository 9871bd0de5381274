"""The scoring of one input: metrics made ready, missing chunks scored and committed, failures kept account of."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import Registry
from studies.models import Run, Study
from studies.scoring.chunks import (
    count_chunks,
    find_missing,
    finish_if_complete,
    get_rows,
    save_chunk,
    unpack_counted,
)
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows
from studies.scoring.metrics import Documents, PreparedMetric, explain_unfit, is_taught
from studies.scoring.runs import check_signature, claim_run
from studies.scoring.systems import SystemTable, tabulate_systems
from studies.scoring.workers import ChunkJob, score_jobs

T = TypeVar("T")

CHUNK_SIZE = 5000


class Track(Protocol):
    """Passes finished chunks on one by one, and shows how far it is; `tqdm` bound to a stream, or `pass_on`."""

    def __call__(self, steps: Iterable[T], *, total: int, label: str) -> Iterable[T]: ...


def pass_on(steps: Iterable[T], *, total: int, label: str) -> Iterable[T]:  # noqa: ARG001
    """Track nothing."""
    return steps


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score.

    Attributes:
        chunk_size: Rows in a chunk of a new run; a run that was begun keeps its own.
        processes: Worker processes; 1 scores in this process.
        corpus: What metrics that learn from captions are fitted on; without one they do not score.
        device: Where metrics with networks compute: `cpu`, `cuda`, `cuda:1`, `mps`, ... Anything but the processor has
            one lane: its metrics score in this process, one after the other.
        params: Parameters by metric; those that are not here have their defaults.
        judging: The study whose judgments metrics learn from that learn from some; by default the one that is scored.

    Raises:
        ScoringFailed: One of them is less than 1.
    """

    chunk_size: int = CHUNK_SIZE
    processes: int = 1
    corpus: Corpus | None = None
    params: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    device: str = "cpu"
    judging: Study | None = None

    def __post_init__(self) -> None:
        for name in ("chunk_size", "processes"):
            if getattr(self, name) < 1:
                raise ScoringFailed(f"{name.replace('_', ' ')}: must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """What was done for one metric on one input; `n_infinite` scores are infinite, and so are missing."""

    metric: str
    signature: str
    n_chunks: int
    n_computed: int
    n_infinite: int = 0


@dataclass(frozen=True, slots=True)
class ScoredInput:
    """What was done on one input: rows of one level under one reference rule."""

    level: str
    references: str
    n_rows: int
    metrics: tuple[ScoredMetric, ...]
    systems: SystemTable


class InputScoring:
    """The scoring of one input: prepares metrics, scores what is missing, keeps account of failures.

    `unavailable` are metrics that need something which is not installed here; nothing is wrong with them. `study` is
    what is scored.
    """

    def __init__(
        self,
        rows: InputRows,
        registry: Registry,
        options: ScoringOptions,
        now: Callable[[], datetime],
        *,
        study: Study | None = None,
    ) -> None:
        self.rows = rows
        self.registry = registry
        self.options = options
        self.now = now
        self.judging = options.judging or study
        self.failures: list[tuple[str, str]] = []
        self.unavailable: list[tuple[str, str]] = []

    def run(self, names: Sequence[str], *, track: Track) -> ScoredInput:
        metrics = self._prepare(names)
        runs = {name: self._claim_run(prepared) for name, prepared in metrics.items()}
        missing = {name: find_missing(run) for name, run in runs.items()}
        computed = dict.fromkeys(metrics, 0)
        for name in self._score(metrics, runs, missing, track=track):
            computed[name] += 1
        finished = {name: run for name, run in runs.items() if finish_if_complete(run, now=self.now())}
        for run in finished.values():
            # The count of infinite scores was added to in the database.
            run.refresh_from_db(fields=["n_infinite"])
        return ScoredInput(
            level=self.rows.level.value,
            references=str(self.rows.selection),
            n_rows=len(self.rows),
            metrics=tuple(
                ScoredMetric(name, run.signature, count_chunks(run), computed[name], n_infinite=unpack_counted(run)[1])
                for name, run in finished.items()
            ),
            systems=tabulate_systems(self.rows, finished, metrics),
        )

    def _prepare(self, names: Sequence[str]) -> dict[str, PreparedMetric]:
        documents = Documents(self.rows, self.options.corpus, self.judging)
        prepared = {}
        for name in names:
            registration = self.registry.get(name)
            params = self.options.params.get(name, {})
            # What was set may have taught it, which only shows when it is built.
            reason = self._explain_unfit(name, is_taught=bool(params))
            if reason:
                self.failures.append((name, reason))
                continue
            try:
                built = self.registry.build(name, device=self.options.device, **params)
                reason = self._explain_unfit(name, is_taught=is_taught(built))
                if reason:
                    self.failures.append((name, reason))
                    continue
                metric = PreparedMetric(registration, built, documents)
                check_signature(metric.signature)
                prepared[name] = metric
            except MissingResource as error:
                self.unavailable.append((name, str(error)))
            except (MetricError, ScoringFailed) as error:
                self.failures.append((name, str(error)))
            except Exception as error:  # a plugin's `build` or `describe` may raise anything as well
                self.failures.append((name, f"{type(error).__name__}: {error}"))
        return prepared

    def _explain_unfit(self, name: str, *, is_taught: bool) -> str:
        return explain_unfit(
            self.registry.get(name).info,
            self.rows.level,
            self.rows.available_inputs,
            has_corpus=self.options.corpus is not None,
            has_judgments=self.judging is not None,
            is_taught=is_taught,
        )

    def _claim_run(self, prepared: PreparedMetric) -> Run:
        info = prepared.registration.info
        origin = prepared.registration
        return claim_run(
            self.rows,
            info=info,
            signature=prepared.signature,
            distribution=origin.distribution,
            origin=origin.distribution or origin.plugin,
            chunk_size=self.options.chunk_size,
            now=self.now(),
            device=self.options.device,
            dtype=prepared.built.precision,
        )

    def _score(
        self,
        metrics: Mapping[str, PreparedMetric],
        runs: Mapping[str, Run],
        missing: Mapping[str, Sequence[int]],
        *,
        track: Track,
    ) -> Iterator[str]:
        """Score and commit missing chunks; yield the metric of each as it is committed."""
        ready = {}
        for name in (name for name in metrics if missing[name]):
            try:
                metric = metrics[name].ready
                # Found out here, a metric that cannot travel to a worker process does not stop the others.
                pickle.dumps(metric)
                ready[name] = metric
            except MissingResource as error:
                self.unavailable.append((name, str(error)))
            except Exception as error:  # a plugin's `fit` may raise anything, and must not take the others down
                self.failures.append((name, f"{type(error).__name__}: {error}"))
        # Runs begun with another chunk size keep it; only chunks of the same rows can share a batch.
        for size in sorted({runs[name].chunk_size for name in ready}):
            wanted = {name: missing[name] for name in ready if runs[name].chunk_size == size}
            indexes = sorted({index for chunks in wanted.values() for index in chunks})
            results = score_jobs(
                self._make_jobs(indexes, runs, wanted),
                metrics=ready,
                n_jobs=len(indexes),
                processes=self.options.processes if self.options.device == "cpu" else 1,
            )
            try:
                for done in track(results, total=len(indexes), label=f"references {self.rows.selection}"):
                    for result in done:
                        if result.error:
                            kept = self.unavailable if result.lacks_resource else self.failures
                            kept.append((result.metric, result.error))
                        else:
                            save_chunk(runs[result.metric], result)
                            yield result.metric
            except BrokenExecutor as error:
                raise ScoringFailed(
                    f"a worker process died while scoring {', '.join(wanted)}; finished chunks are kept: {error}"
                ) from error

    def _make_jobs(
        self, indexes: Sequence[int], runs: Mapping[str, Run], wanted: Mapping[str, Sequence[int]]
    ) -> Iterator[ChunkJob]:
        for index in indexes:
            failed = {name for name, _ in (*self.failures, *self.unavailable)}
            names = tuple(name for name, chunks in wanted.items() if index in chunks and name not in failed)
            if names:
                yield ChunkJob(index, self.rows.make_batch(get_rows(runs[names[0]], index)), names)
