"""The one road of scores: what is missing of an input is planned, scored by a backend, and stored chunk by chunk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from metrics_plugins.api import FitsOn, MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.judged import JudgedRows
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime.chunks import CHUNK_SIZE, Chunk
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sandbox import ChildFailed
from metrics_plugins.runtime.sessions import AskedMetric, Backend, Preparation, Session, SessionWatch
from studies.models import Run, Study
from studies.scoring.chunks import find_missing, finish_if_complete, get_rows, save_chunk, unpack_counted
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows
from studies.scoring.judged import load_judged
from studies.scoring.metrics import explain_unfit
from studies.scoring.runs import check_signature, claim_run


class Watch(SessionWatch):
    """Is told how the scoring of an input goes, and asked whether it shall go on; does nothing by itself."""

    def note_planned(self, label: str, *, n_chunks: int) -> None:
        """So many chunks of the input that `label` names are missing, counted for each metric."""

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        """So many more chunks of a metric are there, of which `n_present` were before."""

    def note_run(self, metric: str, *, run: Run, n_missing: int, n_infinite: int) -> None:
        """A metric has scored all rows; of `n_missing` it has no score, of `n_infinite` of these an infinite one."""

    def note_failure(self, metric: str, *, reason: str) -> None:
        """A metric failed, and scores no more of this input."""


@dataclass(frozen=True)
class InputPlan:
    """What shall be scored.

    Attributes:
        rows: The input.
        metrics: With their parameters.
        judging: The study whose judgments metrics learn from that learn from some; None if there is none.
        corpus: What metrics that learn from captions are fitted on; without one they do not score.
        chunk_size: Rows in a chunk of a new run; a run that was begun keeps its own.
    """

    rows: InputRows
    metrics: Sequence[AskedMetric]
    judging: Study | None = None
    corpus: Corpus | None = None
    chunk_size: int = CHUNK_SIZE


@dataclass
class InputOutcome:
    """What was done for an input, by metric.

    Attributes:
        runs: The finished runs.
        n_infinite: How many scores of a finished run are infinite, and so are missing.
        n_computed: How many chunks were not there before.
        failures: Why a metric gives no scores.
        unavailable: What a metric needs that is not installed here; nothing is wrong with it.
        prepared: The metrics that were built.
    """

    runs: dict[str, Run] = field(default_factory=dict)
    n_infinite: dict[str, int] = field(default_factory=dict)
    n_computed: dict[str, int] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    prepared: dict[str, Preparation] = field(default_factory=dict)


def score_input(
    plan: InputPlan, *, backend: Backend, now: Callable[[], datetime], watch: Watch | None = None
) -> InputOutcome:
    """Score what is missing of an input; every chunk is committed as it is scored.

    A metric that fails does not stop the others. One that ends its process, or is ended for passing a limit, has
    failed; the others of the group go on in a new process.

    Raises:
        ChildStopped: The watch said so.
        ScoringFailed: A process that is trusted died.
    """
    return _InputScoring(plan, backend, now, watch or Watch()).run()


class _InputScoring:
    def __init__(self, plan: InputPlan, backend: Backend, now: Callable[[], datetime], watch: Watch) -> None:
        self.plan = plan
        self.rows = plan.rows
        self.backend = backend
        self.now = now
        self.watch = watch
        self.outcome = InputOutcome()
        self.unjudged = ""
        self.learning = Learning(
            make_documents=lambda: self.rows.make_batch(self.rows.fit_rows),
            corpus=plan.corpus,
            judged=self._load_judged(),
            scored_images=frozenset(self.rows.image_keys),
        )

    def run(self) -> InputOutcome:
        # What was set may have fitted a metric, which shows only when it is built.
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
                        self._give_up(name, str(error) if busy else f"its process is of no use: {error}")
        return self.outcome

    def _load_judged(self) -> JudgedRows | None:
        """Return what metrics learn from that learn from judgments; without it, `unjudged` says why there is none."""
        learns = any(each.entry.info.fits_on is FitsOn.JUDGMENTS for each in self.plan.metrics)
        if self.plan.judging is None or not learns:
            return None
        try:
            return load_judged(self.plan.judging, self.rows)
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
            with self._giving_up(name):
                session.fit(name)
        missing = {name: indexes for name, indexes in missing.items() if not self._has_failed(name)}
        # Runs begun with another chunk size keep it; only chunks of the same rows can share a batch.
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
                    self._give_up(result.metric, result.error, lacks_resource=result.lacks_resource)
                    continue
                save_chunk(runs[result.metric], result)
                self.outcome.n_computed[result.metric] = self.outcome.n_computed.get(result.metric, 0) + 1
                self.watch.note_chunks(result.metric, n_chunks=1)
        except BrokenExecutor as error:
            raise ScoringFailed(
                f"a worker process died while scoring {', '.join(missing)}; finished chunks are kept: {error}"
            ) from error

    def _make_chunks(
        self, indexes: Sequence[int], runs: Mapping[str, Run], missing: Mapping[str, Sequence[int]]
    ) -> Iterator[Chunk]:
        for index in indexes:
            names = tuple(name for name, own in missing.items() if index in own and not self._has_failed(name))
            if names:
                yield Chunk(index, self.rows.make_batch(get_rows(runs[names[0]], index)), names)

    def _finish(self, name: str, run: Run) -> None:
        if not finish_if_complete(run, now=self.now()):
            return
        # The count of infinite scores was added to in the database.
        run.refresh_from_db(fields=["n_infinite"])
        values, n_infinite = unpack_counted(run)
        self.outcome.runs[name], self.outcome.n_infinite[name] = run, n_infinite
        self.watch.note_run(name, run=run, n_missing=int(np.isnan(values).sum()), n_infinite=n_infinite)

    @contextmanager
    def _giving_up(self, metric: str) -> Iterator[None]:
        """Give a metric up if it fails inside, while its process goes on."""
        try:
            yield
        except (MetricError, ScoringFailed) as error:
            self._give_up(metric, str(error), lacks_resource=isinstance(error, MissingResource))

    def _give_up(self, metric: str, reason: str, *, lacks_resource: bool = False) -> None:
        if not self._has_failed(metric):
            kept = self.outcome.unavailable if lacks_resource else self.outcome.failures
            kept[metric] = reason
            self.watch.note_failure(metric, reason=reason)
