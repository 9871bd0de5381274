"""Sessions prepare, fit and run the metrics of one input, in trusted processes or in a sandbox.

`make_backend` creates every kind of backend. In a `Session` the failure of one metric does not affect the others; only
the end of a process ends the session (`ChildFailed`), and `Session.busy` then names the metric that was being run.
"""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from execution.factory import count_places, make_executor
from metrics_plugins.api import FitsOn, MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, decode_result
from metrics_plugins.runtime.executors import score_chunks
from metrics_plugins.runtime.failures import RowNote, explain_failure, find_row
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from metrics_plugins.runtime.printing import printing_to_stderr
from metrics_plugins.runtime.sandbox import (
    CatalogEntry,
    ChildFailed,
    ChildStopped,
    PluginChoice,
    Reply,
    SandboxLimits,
    SandboxProcess,
)


@dataclass(frozen=True, slots=True)
class AskedMetric:
    """A metric with the parameters that differ from their defaults."""

    entry: CatalogEntry
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.entry.info.id


class SessionWatch:
    """Callbacks of a session: notified of the metric being run, and asked whether to stop. By default does nothing."""

    def stop(self) -> bool:
        """Return whether to cancel the work."""
        return False

    def note_begun(self, metric: str) -> None:
        """Called before an untrusted process does something for a metric."""

    def note_left(self, metric: str) -> None:
        """Called after an untrusted process finished or failed, if this process is still running."""


@dataclass(frozen=True)
class Preparation:
    """The properties of a metric that has been built; `metric` is set if it was built in this process."""

    signature: str
    precision: str
    is_fitted: bool
    metric: PreparedMetric | None = None


class Session(ABC):
    """Scores one input with several metrics; `busy` is the metric an untrusted process is working on, "" if none."""

    busy: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    @abstractmethod
    def prepare(self, asked: AskedMetric) -> Preparation:
        """Build a metric; every exception of the metric is raised as `MetricError`."""

    @abstractmethod
    def fit(self, metric: str) -> None:
        """Fit a prepared metric if necessary; every exception of the metric is raised as `MetricError`."""

    @abstractmethod
    def score(self, chunks: Iterable[Chunk], *, metrics: Sequence[str], n_chunks: int) -> Iterator[ChunkResult]:
        """Yield the results of chunks in order of completion.

        Args:
            chunks: At most `n_chunks`, consumed as fast as they are scored.
            metrics: The fitted metrics that score all chunks.
            n_chunks: The maximal number of chunks.
        """


class PluginFailed(MetricError):
    """A plugin raised an exception other than `MetricError`; the message names its type."""


@dataclass(frozen=True)
class TrustedBackend:
    """Builds and fits metrics in this process, and scores in the processes of an executor.

    Attributes:
        registry: The loaded plugins.
        kind: The kind of executor (`EXECUTORS`).
        device: On devices other than the CPU, metrics score in this process, one after the other; on a cluster, by its
            workers with a GPU.
        workers: The number of chunks scored in parallel; processes are started only for several chunks.
    """

    registry: Registry
    kind: str = "inline"
    device: str = "cpu"
    workers: int = 1

    def group(self, metrics: Sequence[AskedMetric]) -> Iterator[list[AskedMetric]]:
        """Yield the groups of metrics that share a session: a single group of all metrics."""
        yield list(metrics)

    def open(self, metrics: Sequence[AskedMetric], *, learning: Learning, watch: SessionWatch) -> "TrustedSession":
        """Return a new session for the metrics of a group."""
        return TrustedSession(self, learning, watch)

    def make_executor(self, n_chunks: int) -> tuple[Executor, int]:
        """Return an executor for this number of chunks, and how many chunks may be submitted at a time."""
        if self.kind == "dask":
            executor = make_executor(self.kind, device=self.device, files=self.registry.list_files())
            return executor, count_places(executor, workers=1)
        workers = min(self.workers, n_chunks)
        if workers <= 1 or n_chunks <= 2 or self.device != "cpu":
            return make_executor("inline"), 1
        executor = make_executor(self.kind, workers=workers)
        return executor, count_places(executor, workers=workers)


@dataclass
class TrustedSession(Session):
    """Runs metrics in this process and its executor."""

    backend: TrustedBackend
    learning: Learning
    watch: SessionWatch
    prepared: dict[str, PreparedMetric] = field(default_factory=dict)

    def prepare(self, asked: AskedMetric) -> Preparation:
        with _explaining(asked.entry.module):
            built = self.backend.registry.build(asked.id, device=self.backend.device, **asked.params)
            prepared = self.prepared[asked.id] = PreparedMetric(built, self.learning)
            # Describing a metric runs plugin code too, so it is done here, where exceptions are handled.
            return Preparation(prepared.signature, prepared.precision, prepared.is_fitted, prepared)

    def fit(self, metric: str) -> None:
        with _explaining(type(self.prepared[metric].built).__module__):
            ready = self.prepared[metric].ready
            if self.backend.kind != "inline":
                # Checked here, so that a metric that cannot be pickled does not stop the others.
                pickle.dumps(ready)

    def score(self, chunks: Iterable[Chunk], *, metrics: Sequence[str], n_chunks: int) -> Iterator[ChunkResult]:
        executor, most_waiting = self.backend.make_executor(n_chunks)
        ready = {name: self.prepared[name].ready for name in metrics}
        with (
            executor,
            closing(score_chunks(chunks, metrics=ready, executor=executor, most_waiting=most_waiting)) as found,
        ):
            for result in found:
                yield result
                if self.watch.stop():
                    raise ChildStopped("stopped")


@contextmanager
def _explaining(module: str) -> Iterator[None]:
    """Raise `PluginFailed` for any exception of a plugin other than `MetricError`."""
    try:
        with printing_to_stderr:
            yield
    except MetricError:
        raise
    except Exception as error:
        raise PluginFailed(explain_failure(error, module=module)) from error


@contextmanager
def naming_metric(metric: str, *, what: str) -> Iterator[None]:
    """Add the metric's name to exceptions of its plugin other than `MetricError`."""
    try:
        yield
    except PluginFailed as error:
        raise MetricError(f"metric {metric!r} {what}: {error}") from error


@dataclass(frozen=True)
class SandboxBackend:
    """Runs the metrics of each plugin in a separate process with resource limits.

    Attributes:
        plugins: The plugins that such a process loads.
        limits: The resource limits of such a process.
    """

    plugins: PluginChoice
    limits: SandboxLimits
    device: str = "cpu"

    def group(self, metrics: Sequence[AskedMetric]) -> Iterator[list[AskedMetric]]:
        """Yield the groups of metrics that share a session: bundled ones without parameters, and those of a plugin."""
        groups: dict[tuple[bool, bool, str], list[AskedMetric]] = {}
        for each in metrics:
            bundled = each.entry.bundled
            key = (not bundled, bool(each.params) if bundled else True, "" if bundled else each.entry.origin)
            groups.setdefault(key, []).append(each)
        for key in sorted(groups):
            yield groups[key]

    def open(self, metrics: Sequence[AskedMetric], *, learning: Learning, watch: SessionWatch) -> "SandboxSession":
        """Return a new session for the metrics of a group."""
        # Bundled metrics with default parameters need no other plugins; not loading these excludes interference.
        alone = all(each.entry.bundled and not each.params for each in metrics)
        choice = PluginChoice(outside=False) if alone else self.plugins
        # Bundled code need not run as another user.
        own = self.limits if choice.outside else replace(self.limits, service=None)
        return SandboxSession(SandboxProcess(own), choice, metrics, learning, watch)


class SandboxSession(Session):
    """Runs metrics in a sandboxed process through one request at a time."""

    def __init__(
        self,
        process: SandboxProcess,
        plugins: PluginChoice,
        metrics: Sequence[AskedMetric],
        learning: Learning,
        watch: SessionWatch,
    ) -> None:
        self.process = process
        self.plugins = plugins
        self.metrics = {each.id: each for each in metrics}
        self.learning = learning
        self.watch = watch
        self._has_documents = False

    def __enter__(self) -> Self:
        try:
            self._send("load", **self.plugins.to_fields())
            if self.learning.judged is not None:
                self._send("judgments", blob=pickle.dumps((self.learning.judged, self.learning.scored_images)))
        except BaseException:
            self.process.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.end()

    def prepare(self, asked: AskedMetric) -> Preparation:
        with self._blaming(asked.id):
            fields = self._ask("prepare", metric=asked.id, params=dict(asked.params)).fields
        return Preparation(
            signature=str(fields.get("signature", "")),
            precision=str(fields.get("precision", "float64")),
            is_fitted=bool(fields.get("is_fitted")),
        )

    def fit(self, metric: str) -> None:
        if self.metrics[metric].entry.info.fits_on is FitsOn.NOTHING:
            return
        if not self._has_documents:
            self._send("documents", blob=pickle.dumps(self.learning.documents))
            self._has_documents = True
        with self._blaming(metric):
            self._ask("fit", metric=metric)

    def score(self, chunks: Iterable[Chunk], *, metrics: Sequence[str], n_chunks: int) -> Iterator[ChunkResult]:
        for chunk in chunks:
            self._send("batch", blob=pickle.dumps(chunk.batch))
            for name in chunk.metrics:
                # The caller stores the scores before the next request can fail and end the process.
                with self._blaming(name):
                    yield self._score(name, chunk)

    def _score(self, name: str, chunk: Chunk) -> ChunkResult:
        try:
            reply = self._ask("score", metric=name, is_part=chunk.is_part)
            return decode_result(
                reply.fields,
                reply.blob,
                metric=name,
                index=chunk.index,
                n_rows=len(chunk.batch),
                seconds=reply.seconds,
            )
        except MetricError as error:
            lacks_resource = isinstance(error, MissingResource)
            row = find_row(error)
            return ChunkResult(name, chunk.index, 0.0, error=str(error), lacks_resource=lacks_resource, row=row)

    def _send(self, question: str, **fields: Any) -> None:
        """Send data that all metrics use; a failure ends the session."""
        self.busy = ""
        try:
            self._ask(question, **fields)
        except MetricError as error:
            raise ChildFailed(str(error)) from error

    def _ask(self, question: str, **fields: Any) -> Reply:
        reply = self.process.ask(question, stop=self.watch.stop, **fields)
        if reply.fields.get("broken"):
            # After running out of memory, the state of the process cannot be trusted.
            raise ChildFailed(reply.error)
        if reply.error:
            # Only the metric failed; the process can continue.
            failure = (MissingResource if reply.fields.get("lacks_resource") else MetricError)(reply.error)
            if isinstance(row := reply.fields.get("row"), int):
                failure.add_note(RowNote.make(row, f"on row {row + 1}"))
            raise failure
        return reply

    @contextmanager
    def _blaming(self, metric: str) -> Iterator[None]:
        """Record the metric as `busy`, so that it is known which one ended the process."""
        self.busy = metric
        self.watch.note_begun(metric)
        try:
            yield
        except ChildFailed as error:
            asked = self.metrics[metric]
            if any(each.path and asked.params.get(each.name) for each in asked.entry.parameters):
                # The printed output is omitted, since it could contain data from a file that the parameter names.
                raise ChildFailed(error.reason) from error
            raise
        finally:
            self.watch.note_left(metric)


Backend: TypeAlias = TrustedBackend | SandboxBackend


def make_backend(kind: str, **options: Any) -> Backend:
    """Return a backend.

    Args:
        kind: `sandbox`, or a kind of executor for trusted plugins (`EXECUTORS`).
        options: The fields of `SandboxBackend` or `TrustedBackend`.
    """
    return SandboxBackend(**options) if kind == "sandbox" else TrustedBackend(kind=kind, **options)
