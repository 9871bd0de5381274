"""Partitions: rows of a table of candidates, scored in chunks and written as one Parquet file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from metrics_plugins.api import DecomposableMetric, Metric
from metrics_plugins.api.scores import Values
from metrics_plugins.large_tables.captions import CAPTION, IMAGE, PASSED_ON, CaptionTable, TableFile
from metrics_plugins.large_tables.manifest import Counts, Partition
from metrics_plugins.large_tables.storage import digest_file
from metrics_plugins.runtime.chunks import ChunkResult
from metrics_plugins.text.comparing import normalize_caption

ROW: Final = "row"
IN_REFERENCES: Final = "in_references"
KEYS: Final = (ROW, IMAGE, *PASSED_ON, CAPTION, IN_REFERENCES)
"""The columns beside the scores: those of `PASSED_ON` where the candidates have them, the last with references."""

_ROWS_PER_GROUP: Final = 50_000


@dataclass(frozen=True, slots=True)
class Span:
    """The rows `start` to `stop` of a file of candidates; `first_row` is the number of the first in the table."""

    number: int
    file: TableFile
    start: int
    stop: int
    first_row: int

    @property
    def n_rows(self) -> int:
        return self.stop - self.start

    @property
    def name(self) -> str:
        return f"part-{self.number:06}.parquet"


def cut_spans(table: CaptionTable, *, n_rows: int) -> Iterator[Span]:
    """Yield the rows of a table in spans of at most `n_rows`, each within one file."""
    number = first_row = 0
    for file in table.files:
        for start in range(0, file.n_rows, n_rows):
            stop = min(start + n_rows, file.n_rows)
            yield Span(number, file, start, stop, first_row + start)
            number += 1
        first_row += file.n_rows


@dataclass
class OpenPartition:
    """A span whose chunks are being scored."""

    span: Span
    metrics: Mapping[str, Metric]
    rows: dict[int, pa.Table] = field(default_factory=dict)
    flags: dict[int, Sequence[bool]] = field(default_factory=dict)
    results: dict[str, dict[int, ChunkResult]] = field(default_factory=dict)

    def add_rows(self, chunk: int, rows: pa.Table, flags: Sequence[bool] | None) -> None:
        """Note the rows of a chunk, and whether each candidate is one of its references, if there are references."""
        self.rows[chunk] = rows
        if flags is not None:
            self.flags[chunk] = flags

    def add_result(self, result: ChunkResult) -> bool:
        """Note the scores of a metric for a chunk; return whether the partition is complete."""
        self.results.setdefault(result.metric, {})[result.index] = result
        n_rows = sum(map(len, self.rows.values()))
        n_results = sum(map(len, self.results.values()))
        return n_rows == self.span.n_rows and n_results == len(self.rows) * len(self.metrics)

    def write(self, path: Path) -> Partition:
        """Write the file, and return its entry in the manifest."""
        pq.write_table(self._make_table(), path, row_group_size=_ROWS_PER_GROUP, compression="zstd")
        with path.open("rb") as file:
            digest = digest_file(file)
        counts = {name: self._count(name) for name in self.metrics}
        return Partition(self.span.name, self.span.first_row, self.span.n_rows, digest, counts)

    def _make_table(self) -> pa.Table:
        given = pa.concat_tables([self.rows[chunk] for chunk in sorted(self.rows)])
        columns = {ROW: pa.array(np.arange(self.span.first_row, self.span.first_row + self.span.n_rows))}
        columns |= {name: given[name] for name in (IMAGE, *PASSED_ON, CAPTION) if name in given.column_names}
        if self.flags:
            columns[IN_REFERENCES] = pa.array(
                [flag for chunk in sorted(self.flags) for flag in self.flags[chunk]], pa.bool_()
            )
        for name in self.metrics:
            # NaN becomes null, which every reader of tables knows as missing.
            columns[name] = pa.array(self._join_scores(name), from_pandas=True)
        return pa.table(columns)

    def _join_scores(self, metric: str) -> Values:
        results = self.results[metric]
        return np.concatenate([values for chunk in sorted(results) if (values := results[chunk].values) is not None])

    def _count(self, name: str) -> Counts:
        results, metric = self.results[name], self.metrics[name]
        missing = int(np.isnan(self._join_scores(name)).sum())
        infinite = sum(each.n_infinite for each in results.values())
        if not isinstance(metric, DecomposableMetric):
            return Counts(missing, infinite)
        kept = [
            metric.keep_counted(statistics)
            for chunk in sorted(results)
            if (statistics := results[chunk].statistics) is not None
        ]
        totals = np.sum([each.sum(axis=0) for each in kept], axis=0)
        return Counts(missing, infinite, sum(map(len, kept)), tuple(totals.tolist()))


def mark_own_references(
    images: Sequence[str], captions: Sequence[str], references: Mapping[str, Sequence[str]]
) -> list[bool]:
    """Return whether each caption is one of the references of its image after `normalize_caption`."""
    own = {image: frozenset(map(normalize_caption, texts)) for image, texts in references.items()}
    return [normalize_caption(caption) in own[image] for image, caption in zip(images, captions, strict=True)]


def read_scores(path_or_file: object, metric: str) -> Iterator[Values]:
    """Yield the scores of a metric in a partition, NaN where undefined."""
    for batch in pq.ParquetFile(path_or_file).iter_batches(columns=[metric], batch_size=_ROWS_PER_GROUP):
        yield pc.fill_null(batch.column(0), float("nan")).to_numpy(zero_copy_only=False)
