"""The scoring pipeline: plan the missing chunks of an input, have a backend score them, and store each chunk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter

import numpy as np

from execution.errors import ClusterFailed
from metrics_plugins.api import Batch, FitsOn, Input, MetricError
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime.chunks import CHUNK_SIZE, Chunk, ChunkResult
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sandbox import ChildFailed
from metrics_plugins.runtime.sessions import AskedMetric, Backend, Preparation, Session, SessionWatch
from studies.models import Image, Run, Study
from studies.scoring.chunks import find_missing, finish_if_complete, get_rows, save_chunk, unpack_counted
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import Ids, InputRows
from studies.scoring.metrics import explain_unfit
from studies.scoring.runs import check_signature, claim_run
from studies.scoring.training_data import load_judged
from studies.storage.local_copies import FindPath, make_local_copies


class Watch(SessionWatch):
    """Callbacks that report the progress of scoring and may stop it; the defaults do nothing."""

    def note_planned(self, label: str, *, n_chunks: int) -> None:
        """Called when `n_chunks` chunks of the input named `label` are missing, counted per metric."""

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        """Called when `n_chunks` more chunks of a metric are stored, `n_present` of which existed before."""

    def note_time(self, metric: str, *, seconds: float) -> None:
        """Called when a metric was fitted or a chunk was scored, with the time that it took."""

    def note_run(self, metric: str, *, run: Run, n_missing: int, n_infinite: int) -> None:
        """Called when a metric has scored all rows; `n_missing` scores are missing, `n_infinite` of them infinite."""

    def note_failure(self, metric: str, *, reason: str) -> None:
        """Called when a metric failed; it scores no more chunks of this input."""


@dataclass(frozen=True)
class InputPlan:
    """What to score.

    Attributes:
        rows: The input.
        metrics: The metrics with their parameters.
        judging: The study whose judgments metrics are trained on, if any.
        corpus: The captions that metrics are fitted on; metrics that need a corpus fail without one.
        chunk_size: Rows per chunk of a new run; an existing run keeps its own.
    """

    rows: InputRows
    metrics: Sequence[AskedMetric]
    judging: Study | None = None
    corpus: Corpus | None = None
    chunk_size: int = CHUNK_SIZE


@dataclass
class InputOutcome:
    """The results of scoring an input, by metric.

    Attributes:
        runs: The finished runs.
        n_infinite: The number of infinite scores, which count as missing, of a finished run.
        n_missing: The number of missing scores of a finished run.
        n_computed: The number of chunks computed in this call.
        failures: Why a metric failed.
        unavailable: The resource that a metric needs and that is not installed here; this is not a failure.
        prepared: The metrics that were built.
    """

    runs: dict[str, Run] = field(default_factory=dict)
    n_infinite: dict[str, int] = field(default_factory=dict)
    n_missing: dict[str, int] = field(default_factory=dict)
    n_computed: dict[str, int] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    prepared: dict[str, Preparation] = field(default_factory=dict)


def score_input(
    plan: InputPlan, *, backend: Backend, now: Callable[[], datetime], watch: Watch | None = None
) -> InputOutcome:
    """Compute the missing scores of an input; every chunk is committed as soon as it is scored.

    A failing metric does not stop the others. A metric also fails if it ends its process, or if its process is killed
    for exceeding a limit; the rest of its group continues in a new process.

    Raises:
        ChildStopped: The watch asked to stop.
        ScoringFailed: A trusted process died.
    """
    reads_images = any(Input.IMAGE in each.entry.info.inputs for each in plan.metrics)
    with make_local_copies(Image._meta.get_field("file").storage) as find_image:  # type: ignore[union-attr]
        return _InputScoring(plan, backend, now, watch or Watch(), find_image if reads_images else None).run()


class _InputScoring:
    def __init__(
        self, plan: InputPlan, backend: Backend, now: Callable[[], datetime], watch: Watch, find_image: FindPath | None
    ) -> None:
        self.plan = plan
        self.rows = plan.rows
        self.backend = backend
        self.now = now
        self.watch = watch
        self.outcome = InputOutcome()
        self.unjudged = ""
        self.find_image = find_image
        self.learning = Learning(
            make_documents=lambda: self._make_batch(self.rows.fit_rows),
            corpus=plan.corpus,
            judged=self._load_judged(),
            scored_images=frozenset(self.rows.image_keys),
        )

    def run(self) -> InputOutcome:
        # The parameters may include a fitted state, which is only known once the metric is built.
        fitting = [each for each in self.plan.metrics if self._fits(each, is_fitted=bool(each.params))]
        for group in self.backend.group(fitting):
            while remaining := self._list_remaining(group):
                busy = ""
                try:
                    with self.backend.open(remaining, learning=self.learning, watch=self.watch) as session:
                        try:
                            self._work(session, remaining)
                        finally:
                            busy = session.busy
                    break
                except ChildFailed as error:
                    for name in [busy] if busy else [each.id for each in remaining]:
                        self._give_up(name, str(error) if busy else f"its process failed: {error}")
        return self.outcome

    def _load_judged(self) -> JudgedRows | None:
        """Return the training data of metrics that learn from judgments; if None, `unjudged` may say why."""
        learns = any(each.entry.info.fits_on is FitsOn.JUDGMENTS for each in self.plan.metrics)
        if self.plan.judging is None or not learns:
            return None
        try:
            return load_judged(self.plan.judging, self.rows, find_image=self.find_image)
        except ScoringFailed as error:
            self.unjudged = str(error)
            return None

    def _list_remaining(self, metrics: Sequence[AskedMetric]) -> list[AskedMetric]:
        return [each for each in metrics if not self._has_failed(each.id)]

    def _has_failed(self, metric: str) -> bool:
        return metric in self.outcome.failures or metric in self.outcome.unavailable

    def _work(self, session: Session, metrics: Sequence[AskedMetric]) -> None:
        runs = {each.id: run for each in metrics if (run := self._prepare(session, each))}
        missing = {name: indexes for name, run in runs.items() if (indexes := find_missing(run))}
        self.watch.note_planned(str(self.rows.selection), n_chunks=sum(map(len, missing.values())))
        for name in missing:
            started = perf_counter()
            with self._giving_up(name):
                session.fit(name)
            self.watch.note_time(name, seconds=perf_counter() - started)
        missing = {name: indexes for name, indexes in missing.items() if not self._has_failed(name)}
        # Existing runs may have other chunk sizes; only chunks of the same rows can share a batch.
        for size in sorted({runs[name].chunk_size for name in missing}):
            self._score(session, runs, {name: missing[name] for name in missing if runs[name].chunk_size == size})
        for name in runs:
            if not self._has_failed(name):
                self._finish(name, runs[name])

    def _prepare(self, session: Session, metric: AskedMetric) -> Run | None:
        with self._giving_up(metric.id):
            prepared = session.prepare(metric)
            check_signature(prepared.signature)
            if self.unjudged and metric.entry.info.fits_on is FitsOn.JUDGMENTS and not prepared.is_fitted:
                raise ScoringFailed(self.unjudged)
        if self._has_failed(metric.id) or not self._fits(metric, is_fitted=prepared.is_fitted):
            return None
        run = claim_run(
            self.rows,
            entry=metric.entry,
            signature=prepared.signature,
            chunk_size=self.plan.chunk_size,
            now=self.now(),
            device=self.backend.device,
            dtype=prepared.precision,
        )
        if metric.id not in self.outcome.prepared:
            n_present = run.chunks.count()
            self.watch.note_chunks(metric.id, n_chunks=n_present, n_present=n_present)
        self.outcome.prepared[metric.id] = prepared
        return run

    def _fits(self, metric: AskedMetric, *, is_fitted: bool) -> bool:
        reason = explain_unfit(
            metric.entry.info,
            self.rows.level,
            self.rows.available_inputs,
            has_corpus=self.plan.corpus is not None,
            has_judgments=self.plan.judging is not None,
            is_fitted=is_fitted,
        )
        if reason:
            self._give_up(metric.id, reason)
        return not reason

    def _score(self, session: Session, runs: Mapping[str, Run], missing: Mapping[str, Sequence[int]]) -> None:
        indexes = sorted({index for chunks in missing.values() for index in chunks})
        try:
            for result in session.score(
                self._make_chunks(indexes, runs, missing), metrics=tuple(missing), n_chunks=len(indexes)
            ):
                if result.error:
                    reason = self._name_row(runs[result.metric], result)
                    self._give_up(result.metric, reason, lacks_resource=result.lacks_resource)
                    continue
                save_chunk(runs[result.metric], result)
                self.outcome.n_computed[result.metric] = self.outcome.n_computed.get(result.metric, 0) + 1
                self.watch.note_time(result.metric, seconds=result.seconds)
                self.watch.note_chunks(result.metric, n_chunks=1)
        except ClusterFailed as error:
            raise ScoringFailed(f"scoring stopped; finished chunks are kept: {error}") from error
        except BrokenExecutor as error:
            raise ScoringFailed(
                f"a worker process died while scoring {', '.join(missing)}; finished chunks are kept: {error}"
            ) from error

    def _name_row(self, run: Run, result: ChunkResult) -> str:
        """Return the error of a result with the row that caused it, if it is known."""
        if result.row is None:
            return result.error
        return f"{result.error}\n  on {self.rows.describe_row(int(get_rows(run, result.index)[result.row]))}"

    def _make_chunks(
        self, indexes: Sequence[int], runs: Mapping[str, Run], missing: Mapping[str, Sequence[int]]
    ) -> Iterator[Chunk]:
        for index in indexes:
            names = tuple(name for name, own in missing.items() if index in own and not self._has_failed(name))
            if names:
                batch = self._make_batch(get_rows(runs[names[0]], index))
                yield Chunk(index, batch, names, is_part=len(batch) < len(self.rows))

    def _make_batch(self, rows: Ids) -> Batch:
        return self.rows.make_batch(rows, find_image=self.find_image)

    def _finish(self, name: str, run: Run) -> None:
        if not finish_if_complete(run, now=self.now()):
            return
        # `n_infinite` was incremented in the database.
        run.refresh_from_db(fields=["n_infinite"])
        values, n_infinite = unpack_counted(run)
        self.outcome.runs[name], self.outcome.n_infinite[name] = run, n_infinite
        self.outcome.n_missing[name] = int(np.isnan(values).sum())
        self.watch.note_run(name, run=run, n_missing=self.outcome.n_missing[name], n_infinite=n_infinite)

    @contextmanager
    def _giving_up(self, metric: str) -> Iterator[None]:
        """Mark a metric as failed on an error inside it; its process continues."""
        try:
            yield
        except (MetricError, ScoringFailed) as error:
            self._give_up(metric, str(error), lacks_resource=isinstance(error, MissingResource))

    def _give_up(self, metric: str, reason: str, *, lacks_resource: bool = False) -> None:
        if not self._has_failed(metric):
            kept = self.outcome.unavailable if lacks_resource else self.outcome.failures
            kept[metric] = reason
            self.watch.note_failure(metric, reason=reason)
