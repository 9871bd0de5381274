"""Scores one input with metrics that each may do their worst: no plugin runs in this process."""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Protocol

import numpy as np

from metrics_plugins.api import FitsOn, MetricError
from metrics_plugins.runtime.peak_memory import PeakMemory
from metrics_plugins.runtime.sandbox import CatalogEntry, ChildFailed, GuardedProcess, Limits, PluginChoice, Reply
from studies.models import Run, Study
from studies.scoring.chunks import find_missing, finish_if_complete, get_rows, save_chunk, unpack_counted
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows
from studies.scoring.judged import load_judged
from studies.scoring.metrics import explain_unfit
from studies.scoring.runs import check_signature, claim_run
from studies.scoring.workers import ChunkResult

_MOST_BYTES: Final = 2**62


@dataclass(frozen=True, slots=True)
class AskedMetric:
    """A metric and what it is built with, where that differs from its defaults."""

    entry: CatalogEntry
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.entry.info.id


class Watch(Protocol):
    """Is told how a run goes, and asked several times a second whether it shall go on."""

    def stop(self) -> bool:
        """Return whether the run shall end here."""
        ...

    def note_begun(self, metric: str) -> None:
        """The process begins to do something for a metric."""
        ...

    def note_left(self, metric: str) -> None:
        """What it did for the metric is done or given up: whoever guards it is still there."""
        ...

    def note_chunks(self, metric: str, *, n_chunks: int) -> None:
        """So many more chunks of a metric are scored; some were before."""
        ...

    def note_run(self, metric: str, *, run: Run, n_missing: int, n_infinite: int) -> None:
        """A metric has scored all rows; of `n_missing` it has no score, of `n_infinite` of these an infinite one."""
        ...

    def note_failure(self, metric: str, *, reason: str) -> None:
        """A metric failed, and scores no more of this input."""
        ...


def score_guarded(
    rows: InputRows,
    metrics: Sequence[AskedMetric],
    *,
    plugins: PluginChoice,
    limits: Limits,
    chunk_size: int,
    now: Callable[[], datetime],
    watch: Watch,
    study: Study | None = None,
) -> None:
    """Score what is missing of an input; every chunk is committed as it is scored.

    Metrics of one plugin share a process, and what they derive from a chunk. One that ends that process, or is ended
    for passing a limit, has failed; the others go on in a new one. Those that learn from judgments learn from those of
    `study`.

    Raises:
        ChildStopped: The watch said so.
    """
    for group in _group(metrics):
        # Bundled metrics with their own parameters need no other plugin, and none can then get in their way.
        alone = all(each.entry.bundled and not each.params for each in group)
        choice = PluginChoice(outside=False) if alone else plugins
        # What is ours needs no other user.
        own = limits if choice.outside else replace(limits, service=None)
        _GroupScoring(rows, list(group), choice, own, chunk_size, now, watch, study).run()


def _group(metrics: Sequence[AskedMetric]) -> Iterator[list[AskedMetric]]:
    groups: dict[tuple[bool, bool, str], list[AskedMetric]] = {}
    for each in metrics:
        bundled = each.entry.bundled
        key = (not bundled, bool(each.params) if bundled else True, "" if bundled else each.entry.origin)
        groups.setdefault(key, []).append(each)
    for key in sorted(groups):
        yield groups[key]


def _explain(error: Exception, metric: AskedMetric) -> str:
    """Return why a metric failed; what it printed is left out where it may have read a file for a parameter."""
    reads = any(each.path and metric.params.get(each.name) for each in metric.entry.parameters)
    return error.reason if reads and isinstance(error, ChildFailed) else str(error)


class _Refused(Exception):
    """A plugin raised something, or answered what cannot be kept; its process can go on."""


@dataclass
class _GroupScoring:
    rows: InputRows
    remaining: list[AskedMetric]
    plugins: PluginChoice
    limits: Limits
    chunk_size: int
    now: Callable[[], datetime]
    watch: Watch
    study: Study | None = None
    busy: AskedMetric | None = None
    """The metric that the process works for at this moment: if it ends now, that is the one to blame."""
    counted: set[str] = field(default_factory=set)
    """Metrics whose chunks that were there before are told of."""
    unjudged: str = ""
    """Why there are no judgments to learn from."""

    def run(self) -> None:
        while self.remaining:
            try:
                with GuardedProcess(self.limits) as process:
                    self._work(process)
                    return
            except (ChildFailed, _Refused) as error:
                if self.busy is None:
                    for each in tuple(self.remaining):
                        self._give_up(each, f"its process is of no use: {error}")
                else:
                    self._give_up(self.busy, _explain(error, self.busy))

    def _work(self, process: GuardedProcess) -> None:
        self.busy = None
        self._ask(process, "load", **self.plugins.to_fields())
        self._send_judgments(process)
        runs = {each.id: run for each in tuple(self.remaining) if (run := self._prepare(process, each))}
        missing = {name: find_missing(run) for name, run in runs.items()}
        self._teach(process, [each for each in self.remaining if missing[each.id]])
        for size in sorted({run.chunk_size for run in runs.values()}):
            asked = [each for each in self.remaining if runs[each.id].chunk_size == size]
            for index in sorted({index for each in asked for index in missing[each.id]}):
                wanting = [each for each in asked if each in self.remaining and index in missing[each.id]]
                if wanting:
                    self._score_chunk(process, wanting, runs, index)
        for each in tuple(self.remaining):
            run = runs[each.id]
            if finish_if_complete(run, now=self.now()):
                # The count of infinite scores was added to in the database.
                run.refresh_from_db(fields=["n_infinite"])
                values, n_infinite = unpack_counted(run)
                n_missing = int(np.isnan(values).sum())
                self.watch.note_run(each.id, run=run, n_missing=n_missing, n_infinite=n_infinite)
        self.remaining = []

    def _prepare(self, process: GuardedProcess, metric: AskedMetric) -> Run | None:
        with self._blaming(metric):
            reply = self._ask(process, "prepare", metric=metric.id, params=dict(metric.params))
            is_taught = bool(reply.fields.get("is_taught"))
            reason = explain_unfit(
                metric.entry.info,
                self.rows.level,
                self.rows.available_inputs,
                has_judgments=self.study is not None,
                is_taught=is_taught,
            )
            if metric.entry.info.fits_on is FitsOn.JUDGMENTS and not is_taught:
                reason = reason or self.unjudged
            if reason:
                raise _Refused(reason)
            signature = str(reply.fields.get("signature", ""))
            check_signature(signature)
            run = claim_run(
                self.rows,
                info=metric.entry.info,
                signature=signature,
                distribution=metric.entry.distribution,
                origin=metric.entry.origin,
                chunk_size=self.chunk_size,
                now=self.now(),
                dtype=str(reply.fields.get("precision", "float64"))[:20],
            )
            if metric.id not in self.counted:
                self.counted.add(metric.id)
                self.watch.note_chunks(metric.id, n_chunks=run.chunks.count())
            return run
        return None

    def _send_judgments(self, process: GuardedProcess) -> None:
        if self.study is None or not any(each.entry.info.fits_on is FitsOn.JUDGMENTS for each in self.remaining):
            return
        try:
            judged = load_judged(self.study, self.rows)
        except ScoringFailed as error:
            self.unjudged = str(error)
            return
        self._ask(process, "judgments", blob=pickle.dumps((judged, frozenset(self.rows.image_keys))))

    def _teach(self, process: GuardedProcess, metrics: Sequence[AskedMetric]) -> None:
        learning = [each for each in metrics if each.entry.info.fits_on is not FitsOn.NOTHING]
        if not learning:
            return
        self.busy = None
        self._ask(process, "documents", blob=pickle.dumps(self.rows.make_batch(self.rows.fit_rows)))
        for each in learning:
            with self._blaming(each):
                self._ask(process, "fit", metric=each.id)

    def _score_chunk(
        self, process: GuardedProcess, metrics: Sequence[AskedMetric], runs: Mapping[str, Run], index: int
    ) -> None:
        chunk = get_rows(runs[metrics[0].id], index)
        self.busy = None
        self._ask(process, "batch", blob=pickle.dumps(self.rows.make_batch(chunk)))
        for each in metrics:
            with self._blaming(each):
                reply = self._ask(process, "score", metric=each.id)
                save_chunk(runs[each.id], _read_result(each.id, index, len(chunk), reply))
                self.watch.note_chunks(each.id, n_chunks=1)

    def _ask(self, process: GuardedProcess, question: str, **fields: Any) -> Reply:
        reply = process.ask(question, stop=self.watch.stop, **fields)
        if reply.fields.get("broken"):
            # Out of memory: what else is in this process is not to be relied on.
            raise ChildFailed(reply.error)
        if reply.error:
            raise _Refused(reply.error)
        return reply

    def _blaming(self, metric: AskedMetric) -> "_Blame":
        return _Blame(self, metric)

    def _give_up(self, metric: AskedMetric, reason: str) -> None:
        self.remaining.remove(metric)
        self.watch.note_failure(metric.id, reason=reason)


@dataclass
class _Blame:
    """What happens inside is done for one metric: it is given up if it refuses, the others are not."""

    scoring: _GroupScoring
    metric: AskedMetric

    def __enter__(self) -> None:
        self.scoring.busy = self.metric
        self.scoring.watch.note_begun(self.metric.id)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.scoring.watch.note_left(self.metric.id)
        if isinstance(error, _Refused | MetricError):
            self.scoring._give_up(self.metric, str(error))
            return True
        return False


def _read_result(metric: str, index: int, n_rows: int, reply: Reply) -> ChunkResult:
    try:
        n_values = int(reply.fields["n_values"])
        numbers = np.frombuffer(reply.blob, dtype="<f8")
        shape = reply.fields.get("statistics")
        statistics = numbers[n_values:].reshape([int(each) for each in shape]) if shape else None
    except (KeyError, TypeError, ValueError) as error:
        raise _Refused(f"its answer cannot be read: {error}") from error
    if n_values != n_rows or (statistics is not None and len(statistics) != n_rows):
        raise _Refused(f"it gave {n_values} scores for {n_rows} rows")
    peak = PeakMemory(*(_read_count(reply, name) for name in ("peak_memory", "peak_gpu_memory")))
    n_infinite = min(_read_count(reply, "n_infinite"), n_rows)
    return ChunkResult(metric, index, reply.seconds, numbers[:n_values], statistics, n_infinite=n_infinite, peak=peak)


def _read_count(reply: Reply, name: str) -> int:
    found = reply.fields.get(name, 0)
    # What a plugin's process says of itself need not be true, but must be a number that can be kept.
    return min(found, _MOST_BYTES) if isinstance(found, int) and found > 0 else 0
