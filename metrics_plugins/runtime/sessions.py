"""What scores one input: metrics are prepared, fitted and run on chunks, in trusted processes or in a sandbox.

One factory makes all kinds: `make_backend`. A `Session` never lets a metric's failure be another one's; only a process
that ends takes the session along (`ChildFailed`), and `Session.busy` says for which metric it worked.
"""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from metrics_plugins.api import FitsOn, MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, decode_result
from metrics_plugins.runtime.executors import Start, do_nothing, make_executor, score_chunks
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
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
    """A metric and what it is built with, where that differs from its defaults."""

    entry: CatalogEntry
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.entry.info.id


class SessionWatch:
    """Is told what a session works for, and asked often whether it shall go on; does nothing by itself."""

    def stop(self) -> bool:
        """Return whether the work shall end here."""
        return False

    def note_begun(self, metric: str) -> None:
        """A process that is not trusted begins to do something for a metric."""

    def note_left(self, metric: str) -> None:
        """What it did for the metric is done or given up, and this process is still there."""


@dataclass(frozen=True)
class Preparation:
    """What is known of a metric once it is built; `metric` is itself, where it is in this process."""

    signature: str
    precision: str
    is_fitted: bool
    metric: PreparedMetric | None = None


class Session(ABC):
    """Scores one input with some metrics; `busy` is the one that a process works for that may end, "" if none."""

    busy: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    @abstractmethod
    def prepare(self, asked: AskedMetric) -> Preparation:
        """Build a metric; raise `MetricError` for whatever it raises."""

    @abstractmethod
    def fit(self, metric: str) -> None:
        """Let a prepared metric learn, if it is one that does; raise `MetricError` for whatever it raises."""

    @abstractmethod
    def score(self, chunks: Iterable[Chunk], *, metrics: Sequence[str], n_chunks: int) -> Iterator[ChunkResult]:
        """Yield the results of chunks, which are taken as fast as they are scored, as they are done.

        Args:
            chunks: At most `n_chunks`.
            metrics: Those of all chunks; they are fitted.
            n_chunks: How many chunks there are.
        """


class PluginFailed(MetricError):
    """A plugin raised something that is no `MetricError`; the message names its type."""


@dataclass(frozen=True)
class TrustedBackend:
    """Metrics are built and fitted in this process, and score in the processes of an executor.

    Attributes:
        registry: The plugins.
        kind: Of executor (`EXECUTORS`).
        device: Anything but the processor has one lane: its metrics score in this process, one after the other.
        workers: How many chunks are scored at once; starting processes pays only for several chunks.
        start: What each worker process calls first.
    """

    registry: Registry
    kind: str = "inline"
    device: str = "cpu"
    workers: int = 1
    start: Start = do_nothing

    def group(self, metrics: Sequence[AskedMetric]) -> Iterator[list[AskedMetric]]:
        """Yield the metrics that shall share a session: all of them."""
        yield list(metrics)

    def open(self, metrics: Sequence[AskedMetric], *, learning: Learning, watch: SessionWatch) -> "TrustedSession":
        """Return a new session for the metrics of one group."""
        return TrustedSession(self, learning, watch)

    def make_executor(self, n_chunks: int) -> tuple[Executor, int]:
        """Return an executor for so many chunks, and how many of them it may have at a time."""
        workers = min(self.workers, n_chunks)
        if workers <= 1 or n_chunks <= 2 or self.device != "cpu":
            return make_executor("inline"), 1
        return make_executor(self.kind, workers=workers, start=self.start), 2 * workers


@dataclass
class TrustedSession(Session):
    """Metrics of this process."""

    backend: TrustedBackend
    learning: Learning
    watch: SessionWatch
    prepared: dict[str, PreparedMetric] = field(default_factory=dict)

    def prepare(self, asked: AskedMetric) -> Preparation:
        with _explaining():
            built = self.backend.registry.build(asked.id, device=self.backend.device, **asked.params)
            prepared = self.prepared[asked.id] = PreparedMetric(built, self.learning)
            # What describes a metric is its plugin's as well, and fails here or never.
            return Preparation(prepared.signature, prepared.precision, prepared.is_fitted, prepared)

    def fit(self, metric: str) -> None:
        with _explaining():
            ready = self.prepared[metric].ready
            if self.backend.kind != "inline":
                # Found out here, a metric that cannot travel to a worker process does not stop the others.
                pickle.dumps(ready)

    def score(self, chunks: Iterable[Chunk], *, metrics: Sequence[str], n_chunks: int) -> Iterator[ChunkResult]:
        executor, most_waiting = self.backend.make_executor(n_chunks)
        ready = {name: self.prepared[name].ready for name in metrics}
        try:
            for result in score_chunks(chunks, metrics=ready, executor=executor, most_waiting=most_waiting):
                yield result
                if self.watch.stop():
                    raise ChildStopped("stopped")
        finally:
            executor.shutdown(cancel_futures=True)


@contextmanager
def _explaining() -> Iterator[None]:
    """Raise `PluginFailed` for anything else than `MetricError` that a plugin raises."""
    try:
        yield
    except MetricError:
        raise
    except Exception as error:
        raise PluginFailed(f"{type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class SandboxBackend:
    """Metrics may do their worst: those of one plugin share a process of their own, which limits hold.

    Attributes:
        plugins: What such a process loads.
        limits: What ends it.
    """

    plugins: PluginChoice
    limits: SandboxLimits
    device: str = "cpu"

    def group(self, metrics: Sequence[AskedMetric]) -> Iterator[list[AskedMetric]]:
        """Yield the metrics that shall share a session: bundled ones without parameters, and those of one plugin."""
        groups: dict[tuple[bool, bool, str], list[AskedMetric]] = {}
        for each in metrics:
            bundled = each.entry.bundled
            key = (not bundled, bool(each.params) if bundled else True, "" if bundled else each.entry.origin)
            groups.setdefault(key, []).append(each)
        for key in sorted(groups):
            yield groups[key]

    def open(self, metrics: Sequence[AskedMetric], *, learning: Learning, watch: SessionWatch) -> "SandboxSession":
        """Return a new session for the metrics of one group."""
        # Bundled metrics with their own parameters need no other plugin, and none can then get in their way.
        alone = all(each.entry.bundled and not each.params for each in metrics)
        choice = PluginChoice(outside=False) if alone else self.plugins
        # What is ours needs no other user.
        own = self.limits if choice.outside else replace(self.limits, service=None)
        return SandboxSession(SandboxProcess(own), choice, metrics, learning, watch)


class SandboxSession(Session):
    """Metrics of a guarded process, which is asked for one thing after the other."""

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
                # The scores are stored before the metric can be given up for what comes next.
                with self._blaming(name):
                    yield self._score(name, chunk)

    def _score(self, name: str, chunk: Chunk) -> ChunkResult:
        try:
            reply = self._ask("score", metric=name)
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
            return ChunkResult(name, chunk.index, 0.0, error=str(error), lacks_resource=lacks_resource)

    def _send(self, question: str, **fields: Any) -> None:
        """Send what all metrics need."""
        self.busy = ""
        try:
            self._ask(question, **fields)
        except MetricError as error:
            raise ChildFailed(str(error)) from error

    def _ask(self, question: str, **fields: Any) -> Reply:
        reply = self.process.ask(question, stop=self.watch.stop, **fields)
        if reply.fields.get("broken"):
            # Out of memory: what else is in this process is not to be relied on.
            raise ChildFailed(reply.error)
        if reply.error:
            # The process can go on.
            raise (MissingResource if reply.fields.get("lacks_resource") else MetricError)(reply.error)
        return reply

    @contextmanager
    def _blaming(self, metric: str) -> Iterator[None]:
        """If the process ends inside, the metric is to blame."""
        self.busy = metric
        self.watch.note_begun(metric)
        try:
            yield
        except ChildFailed as error:
            asked = self.metrics[metric]
            if any(each.path and asked.params.get(each.name) for each in asked.entry.parameters):
                # What it printed is left out: it may have read a file for a parameter.
                raise ChildFailed(error.reason) from error
            raise
        finally:
            self.watch.note_left(metric)


Backend: TypeAlias = TrustedBackend | SandboxBackend


def make_backend(kind: str, **options: Any) -> Backend:
    """Return what scores.

    Args:
        kind: `sandbox`, or a kind of executor for plugins that are trusted (`EXECUTORS`).
        options: Those of `SandboxBackend`, or of `TrustedBackend`.
    """
    return SandboxBackend(**options) if kind == "sandbox" else TrustedBackend(kind=kind, **options)
