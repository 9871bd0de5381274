"""Score a table of candidates in parts: plan the partitions, learn from references, score chunks, write partitions."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final, cast

import numpy as np
import pyarrow as pa

from metrics_plugins.api import Batch, DecomposableMetric, Metric, MetricError
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.api.scores import Values
from metrics_plugins.large_tables.captions import CAPTION, IMAGE, CaptionTable, open_table
from metrics_plugins.large_tables.folders import find_kept, use_folder
from metrics_plugins.large_tables.manifest import Manifest, list_files, write_manifest
from metrics_plugins.large_tables.partitions import OpenPartition, Span, cut_spans, mark_own_references, read_scores
from metrics_plugins.large_tables.readiness import fit_metrics, prepare_metrics
from metrics_plugins.large_tables.references import ReferenceIndex
from metrics_plugins.large_tables.storage import Storage
from metrics_plugins.large_tables.totals import average
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime.chunks import CHUNK_SIZE, Chunk, ChunkResult
from metrics_plugins.runtime.failures import add_metric_name
from metrics_plugins.runtime.peak_memory import read_resident_peak
from metrics_plugins.runtime.preparing import DocumentStream, Learning, PreparedMetric
from metrics_plugins.runtime.printing import printing_to_stderr
from metrics_plugins.runtime.sessions import AskedMetric, SessionWatch, TrustedBackend, TrustedSession

ROWS_PER_PARTITION: Final = 200_000


@dataclass(frozen=True)
class TableRequest:
    """What to score.

    Attributes:
        candidates: The address of a table with the columns `image_id` and `caption`.
        references: The address of such a table with references; None for metrics that need none.
        metrics: Metrics of single captions.
        output: The folder of the scores, which is made if it is missing.
        rows_per_partition: The largest number of rows of a partition, at least 1.
        corpus: Captions for metrics that learn from captions.
        seed: The seed of metrics that draw at random.
    """

    candidates: str
    references: str | None
    metrics: tuple[AskedMetric, ...]
    output: Storage
    rows_per_partition: int = ROWS_PER_PARTITION
    corpus: Corpus | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """What was done.

    Attributes:
        manifest: The manifest of the folder, which is complete.
        n_kept: The number of partitions that were complete before.
        damaged: The files of partitions that had changed, and were computed again.
        peak: The peak resident memory of this process, in bytes.
        worker_peak: The largest peak of a process that scored, in bytes; 0 if nothing was scored.
    """

    manifest: Manifest
    n_kept: int
    damaged: tuple[str, ...]
    peak: int
    worker_peak: int


def score_table(request: TableRequest, backend: TrustedBackend, *, track: Track = pass_on) -> ScoredTable:
    """Score all candidates of a table, and write the scores to a folder; what is complete there is kept.

    Memory does not grow with the number of rows, except by what metrics learn. Scores are those of all rows in memory.

    Args:
        request: What to score.
        backend: Builds metrics, and scores in the processes of an executor.
        track: Displays the progress over partitions.

    Raises:
        InputError: A table is invalid, or the folder holds something else.
        MetricError: A metric cannot be built, fails, or cannot score a table in parts.
    """
    candidates = open_table(request.candidates, passes_on=True)
    references = open_table(request.references) if request.references else None
    with use_folder(request.output) as scratch, closing(ReferenceIndex(scratch / "references.sqlite")) as index:
        learning = Learning(
            _refuse_documents,
            corpus=request.corpus,
            seed=request.seed,
            stream=DocumentStream(index.make_documents, scratch),
        )
        session = backend.open(request.metrics, learning=learning, watch=SessionWatch())
        prepared = prepare_metrics(
            session, request.metrics, has_references=references is not None, has_corpus=request.corpus is not None
        )
        kept, damaged = find_kept(request.output, _describe(request, candidates, references, prepared))
        manifest, worker_peak = kept, 0
        if not kept.is_complete:
            index.fill(candidates, references)
            metrics = fit_metrics(session, request.metrics)
            # Before the long work, so that a folder that cannot be written is known, and a first partition continued.
            write_manifest(manifest, request.output, scratch=scratch)
            lookup = None if references is None else index.find
            work = _Work(request.output, scratch, candidates, lookup, metrics, manifest)
            work.score(session, request.rows_per_partition, track=track)
            work.add_scores()
            manifest, worker_peak = work.manifest, work.worker_peak
        return ScoredTable(manifest, len(kept.partitions), damaged, read_resident_peak(), worker_peak)


def _refuse_documents() -> Batch:
    raise MetricError("the references of a table are learned from in parts")


def _describe(
    request: TableRequest,
    candidates: CaptionTable,
    references: CaptionTable | None,
    prepared: Mapping[str, PreparedMetric],
) -> Manifest:
    return Manifest(
        signatures={each.id: prepared[each.id].signature for each in request.metrics},
        higher_is_better={each.id: each.entry.info.higher_is_better for each in request.metrics},
        candidates=list_files(candidates),
        references=None if references is None else list_files(references),
        rows=candidates.n_rows,
        rows_per_partition=request.rows_per_partition,
        seed=request.seed,
    )


@dataclass
class _Work:
    """The rows of the partitions that are missing, on their way from the table to the folder."""

    output: Storage
    scratch: Path
    candidates: CaptionTable
    find_references: Callable[[Iterable[str]], Mapping[str, tuple[str, ...]]] | None
    metrics: Mapping[str, Metric]
    manifest: Manifest
    worker_peak: int = 0
    _open: dict[int, OpenPartition] = field(default_factory=dict)

    def score(self, session: TrustedSession, rows_per_partition: int, *, track: Track) -> None:
        """Score the rows that are in no complete partition, and write their partitions."""
        spans = cut_spans(self.candidates, n_rows=rows_per_partition)
        missing = [span for span in spans if span.number not in self.manifest.partitions]
        n_chunks = sum(-(-span.n_rows // CHUNK_SIZE) for span in missing)
        names = tuple(self.metrics)
        scored = session.score(self._make_chunks(missing), metrics=names, n_chunks=n_chunks)
        # Closed here, so that an error ends the processes before their files are deleted.
        with closing(cast("Generator[ChunkResult, None, None]", scored)) as results:
            for _ in track(missing, total=len(missing), label="partitions"):
                self._finish_next(results)

    def _finish_next(self, results: Iterator[ChunkResult]) -> None:
        """Take results until a partition is complete, and write it."""
        for result in results:
            if result.error:
                raise MetricError(add_metric_name(result.error, metric=result.metric))
            self.worker_peak = max(self.worker_peak, result.peak.process)
            if self._open[result.index].add_result(result):
                self._keep(self._open[result.index])
                return

    def _keep(self, partition: OpenPartition) -> None:
        span = partition.span
        entry = partition.write(self.scratch / span.name)
        # First the file, then its entry: an entry is always of a complete file.
        self.output.take(self.scratch / span.name, span.name)
        self.manifest = self.manifest.keep(span.number, entry)
        write_manifest(self.manifest, self.output, scratch=self.scratch)
        for chunk in partition.rows:
            del self._open[chunk]

    def _make_chunks(self, spans: Sequence[Span]) -> Iterator[Chunk]:
        names, number = tuple(self.metrics), 0
        for file, found in groupby(spans, key=attrgetter("file")):
            own = tuple(found)
            ranges = [range(span.start, span.stop) for span in own]
            for span, parts in zip(own, self.candidates.read_ranges(file, ranges, size=CHUNK_SIZE), strict=True):
                partition = OpenPartition(span, self.metrics)
                for rows in parts:
                    self._open[number] = partition
                    yield Chunk(number, self._add_rows(partition, number, rows), names, is_part=True)
                    number += 1

    def _add_rows(self, partition: OpenPartition, number: int, rows: pa.Table) -> Batch:
        """Note the rows of a chunk, and return them as a batch."""
        images, captions = rows[IMAGE].to_pylist(), rows[CAPTION].to_pylist()
        references = flags = None
        if self.find_references is not None:
            found = self.find_references(images)
            references = [found[image] for image in images]
            flags = mark_own_references(images, captions, found)
        partition.add_rows(number, rows, flags)
        return Batch.make(images, candidates=captions, references=references)

    def add_scores(self) -> None:
        """Compute the scores of all rows, and write the manifest that has them."""
        values = {name: self._summarize(name, metric) for name, metric in self.metrics.items()}
        scores = {name: value if np.isfinite(value) else None for name, value in values.items()}
        self.manifest = replace(self.manifest, scores=scores)
        write_manifest(self.manifest, self.output, scratch=self.scratch)

    def _summarize(self, name: str, metric: Metric) -> float:
        if not isinstance(metric, DecomposableMetric):
            return average(lambda: self._read_scores(name))
        counts = [each.metrics[name] for each in self.manifest.partitions.values()]
        totals = [np.array(each.totals) for each in counts if each.counted]
        with printing_to_stderr:
            return float(metric.reduce(np.sum(totals, axis=0))) if totals else float("nan")

    def _read_scores(self, name: str) -> Iterator[Values]:
        for partition in self.manifest.partitions.values():
            with self.output.open(partition.file) as file:
                yield from read_scores(file, name)
