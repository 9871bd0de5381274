"""`score`: score files of captions with metrics."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Never

import numpy as np
from tqdm import tqdm

from metrics_plugins.api import Batch, FitsOn, Input, Level, MetricError, MetricInfo
from metrics_plugins.cli.arguments.building import ask_metrics, split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.inputs import Captions, read_inputs
from metrics_plugins.cli.output import ScoreRow, check_output, print_object, print_rows, write_rows
from metrics_plugins.cli.plugins import load_plugins
from metrics_plugins.readers import read_captions, read_corpus, read_judgments
from metrics_plugins.runtime import MetricRun
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, cut_chunks, join_results
from metrics_plugins.runtime.failures import add_metric_name, describe_row
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sessions import AskedMetric, SessionWatch, TrustedBackend, naming_metric

UNDEFINED_EXIT = 1


def score(
    candidates: Path,
    *,
    references: Path | None,
    metric_ids: str,
    params: Sequence[str],
    device: str,
    seed: int,
    out: Path | None,
    show_signatures: bool,
    corpus: str = "",
    judged: Path | None = None,
    worlds: Path | None = None,
    plugins: Sequence[Path] = (),
    as_json: bool = False,
) -> int:
    """Score a file of candidates, then print or write all rows; return 0, or 1 if all scores of a metric are undefined.

    Raises:
        UsageError: An argument is invalid.
        InputError: A file is invalid.
        MetricError: A metric is unknown, cannot be built or fails, or a plugin file is not valid.
    """
    if out:
        check_output(out)
    registry = load_plugins(plugins)
    metrics = ask_metrics(registry, split_ids(metric_ids), params=params)
    known_worlds = registry.read_worlds(worlds) if worlds else None
    captions = read_inputs(candidates, references=references, worlds=known_worlds)
    judged_rows = None
    if judged and references:
        judged_rows = read_judgments(judged).make_rows(read_captions(references).group_by_image())
    learning = Learning(
        captions.make_segments,
        corpus=read_corpus(corpus) if corpus else None,
        judged=judged_rows,
        seed=seed,
    )
    backend = TrustedBackend(registry=registry, device=device)
    inputs = [_Input(batch, own, backend, captions, learning) for batch, own in _sort_metrics(metrics, captions)]
    for each in inputs:
        each.prepare(
            has_references=references is not None,
            has_corpus=bool(corpus),
            has_judged=bool(judged),
            has_worlds=bool(worlds),
        )
    scored = {info.id: (info, run) for info, run in _score_inputs(inputs)}
    rows = [row for each in metrics for row in _list_rows(*scored[each.id], captions=captions)]
    if out:
        write_rows(out, rows)
    elif as_json:
        print_object(rows, signatures={name: str(run.signature) for name, (_, run) in scored.items()})
    else:
        print_rows(rows)
    if show_signatures:
        sys.stderr.writelines(f"{scored[each.id][1].signature}\n" for each in metrics)
    undefined = [each.id for each in metrics if np.isnan(scored[each.id][1].scores.values).all()]
    sys.stderr.writelines(f"warning: every score of metric {name!r} is undefined (NaN)\n" for name in undefined)
    return UNDEFINED_EXIT if undefined else 0


def _sort_metrics(metrics: Sequence[AskedMetric], captions: Captions) -> Iterator[tuple[Batch, list[AskedMetric]]]:
    """Yield batches with one row per candidate or per caption set, each with the metrics that score it."""
    of_sets = [each for each in metrics if Input.CAPTION_SET in each.entry.info.inputs]
    of_segments = [each for each in metrics if each not in of_sets]
    if of_segments:
        yield captions.make_segments(), of_segments
    if of_sets:
        yield captions.make_sets(), of_sets


class _Input:
    """Rows and the metrics that score them."""

    def __init__(
        self,
        batch: Batch,
        metrics: Sequence[AskedMetric],
        backend: TrustedBackend,
        captions: Captions,
        learning: Learning,
    ) -> None:
        self.batch = batch
        self.metrics = metrics
        # The references of an image are used once, however many candidates it has.
        first_rows = captions.first_rows
        documents = batch.select(first_rows) if len(first_rows) < len(batch) else batch
        own = replace(learning, make_documents=lambda: documents, scored_images=frozenset(batch.image_keys))
        self.session = backend.open(metrics, learning=own, watch=SessionWatch())
        self.system = captions.system

    def prepare(self, **given: bool) -> None:
        """Build all metrics; raise `UsageError` if a metric lacks a required file."""
        for each in self.metrics:
            with naming_metric(each.id, what="cannot be built"):
                prepared = self.session.prepare(each)
            _check_inputs(each.entry.info, is_fitted=prepared.is_fitted, **given)

    def score(self, progress: "tqdm[Never]") -> Iterator[tuple[MetricInfo, MetricRun]]:
        """Yield the result of each metric for all rows."""
        for each in self.metrics:
            progress.set_description(each.id)
            with naming_metric(each.id, what="fails"):
                self.session.fit(each.id)
        results: dict[str, list[ChunkResult]] = {each.id: [] for each in self.metrics}
        chunks = self.list_chunks()
        for result in self.session.score(chunks, metrics=tuple(results), n_chunks=len(chunks)):
            if result.error:
                reason = add_metric_name(result.error, metric=result.metric)
                raise MetricError(reason if result.row is None else f"{reason}\n  on {self._describe(chunks, result)}")
            results[result.metric].append(result)
            progress.update()
        for name, found in results.items():
            prepared = self.session.prepared[name]
            run = join_results(prepared.ready, found, keys=self.batch.keys)
            yield prepared.built.info, replace(run, signature=prepared.name_learned(run.signature))

    def _describe(self, chunks: Sequence[Chunk], result: ChunkResult) -> str:
        """Return the row of the file that a metric fails on."""
        start = sum(len(chunk.batch) for chunk in chunks[: result.index])
        row = start + (result.row or 0)
        return describe_row(self.batch, row, system=self.system)

    def list_chunks(self) -> list[Chunk]:
        """Return the rows in chunks; a single chunk for metrics with one score for all rows."""
        whole = tuple(each.id for each in self.metrics if each.entry.info.level is Level.CORPUS)
        others = tuple(each.id for each in self.metrics if each.id not in whole)
        chunks = cut_chunks(self.batch, others) if others else []
        return [*chunks, Chunk(len(chunks), self.batch, whole)] if whole else chunks


def _score_inputs(inputs: Sequence[_Input]) -> Iterator[tuple[MetricInfo, MetricRun]]:
    total = sum(len(chunk.metrics) for each in inputs for chunk in each.list_chunks())
    with tqdm(total=total, file=sys.stderr, disable=None, unit="chunk", leave=False) as progress:
        for each in inputs:
            yield from each.score(progress)


def _check_inputs(
    info: MetricInfo,
    *,
    is_fitted: bool,
    has_references: bool,
    has_corpus: bool,
    has_judged: bool,
    has_worlds: bool,
) -> None:
    fits_on = FitsOn.NOTHING if is_fitted else info.fits_on
    if fits_on is FitsOn.JUDGMENTS and not has_judged:
        raise UsageError(f"metric {info.id!r} learns from judgments: pass --judged FILE, or what `fit` kept by --param")
    if fits_on is FitsOn.JUDGMENTS and not has_references:
        raise UsageError(f"metric {info.id!r} learns from judgments and references: pass --references")
    if fits_on is FitsOn.CAPTIONS and not has_corpus:
        raise UsageError(
            f"metric {info.id!r} learns from a corpus of captions, which is not the files to be scored: "
            "pass --corpus FILE"
        )
    needs_references = Input.REFERENCES in info.inputs or fits_on is FitsOn.REFERENCES
    if needs_references and not has_references:
        raise UsageError(f"metric {info.id!r} needs references: pass --references")
    if Input.WORLD in info.inputs and not has_worlds:
        raise UsageError(f"metric {info.id!r} needs the worlds of images: pass --worlds")


def _list_rows(info: MetricInfo, run: MetricRun, *, captions: Captions) -> list[ScoreRow]:
    make = partial(ScoreRow, metric=info.id, system=captions.system)
    corpus = make(level=Level.CORPUS, row=None, key=None, value=run.corpus)
    if info.level is Level.CORPUS:
        return [corpus]
    numbers = captions.first_rows if Input.CAPTION_SET in info.inputs else range(len(captions.candidates))
    rows = [
        make(level=info.level, row=number + 1, key=key, value=float(value))
        for number, key, value in zip(numbers, run.scores.keys, run.scores.values, strict=True)
    ]
    return [*rows, corpus]
