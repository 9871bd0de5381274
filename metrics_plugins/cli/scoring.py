"""`score`: metrics on files of captions."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from metrics_plugins.api import (
    Batch,
    FitsOn,
    Fittable,
    Input,
    Level,
    Metric,
    MetricError,
    MetricRun,
    run_metric,
)
from metrics_plugins.cli.building import build_metrics, split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.inputs import Captions, read_inputs
from metrics_plugins.cli.output import ScoreRow, check_output, print_rows, write_rows
from metrics_plugins.readers import Corpus, read_corpus


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
) -> int:
    """Score a file of candidates, then print or write all rows; return 0.

    Raises:
        UsageError: An argument breaks a rule.
        InputError: A file breaks a rule.
        MetricError: A metric is unknown, cannot be built or fails.
    """
    if out:
        check_output(out)
    metrics = build_metrics(split_ids(metric_ids), params=params, device=device)
    for metric in metrics:
        _check_inputs(metric, has_references=references is not None, has_corpus=bool(corpus))
    captions = read_inputs(candidates, references=references)
    runs = _run_metrics(metrics, captions, seed=seed, corpus=read_corpus(corpus) if corpus else None)
    rows = [row for metric, run in zip(metrics, runs, strict=True) for row in _list_rows(metric, run)]
    if out:
        write_rows(out, rows)
    else:
        print_rows(rows)
    if show_signatures:
        sys.stderr.writelines(f"{run.signature}\n" for run in runs)
    return 0


def _check_inputs(metric: Metric | Fittable, *, has_references: bool, has_corpus: bool) -> None:
    info = metric.info
    fits_on = FitsOn.NOTHING if isinstance(metric, Fittable) and metric.is_taught else info.fits_on
    if fits_on is FitsOn.JUDGMENTS:
        raise UsageError(f"metric {info.id!r} learns from judgments, which these files do not hold: fit it in a study")
    if fits_on is FitsOn.CAPTIONS and not has_corpus:
        raise UsageError(
            f"metric {info.id!r} learns from a corpus of captions, which is not the files to be scored: "
            "pass --corpus FILE"
        )
    needs_references = Input.REFERENCES in info.inputs or fits_on is FitsOn.REFERENCES
    if needs_references and not has_references:
        raise UsageError(f"metric {info.id!r} needs references: pass --references")


def _run_metrics(
    metrics: Sequence[Metric | Fittable], captions: Captions, *, seed: int, corpus: Corpus | None
) -> list[MetricRun]:
    batches: dict[Level, Batch] = {}
    progress = tqdm(metrics, file=sys.stderr, disable=None, unit="metric", leave=False)
    runs = []
    for metric in progress:
        progress.set_description(metric.info.id)
        kind = Level.SET if Input.CAPTION_SET in metric.info.inputs else Level.SEGMENT
        if kind not in batches:
            batches[kind] = captions.make_sets() if kind is Level.SET else captions.make_segments()
        batch = batches[kind]
        if corpus and isinstance(metric, Fittable) and not metric.is_taught and metric.info.fits_on is FitsOn.CAPTIONS:
            run = _run(metric, batch, fit_batch=corpus.make_batch(metric.info), seed=seed)
            runs.append(replace(run, signature=run.signature.name_corpus(corpus.digest)))
        else:
            runs.append(_run(metric, batch, fit_batch=_choose_fit_batch(metric, batch, captions), seed=seed))
    return runs


def _choose_fit_batch(metric: Metric | Fittable, batch: Batch, captions: Captions) -> Batch:
    # An image's references count once, however many candidates it has.
    first_rows = captions.first_rows
    is_repeated = len(first_rows) < len(batch)
    return batch.select(first_rows) if metric.info.fits_on is FitsOn.REFERENCES and is_repeated else batch


def _run(metric: Metric | Fittable, batch: Batch, *, fit_batch: Batch, seed: int) -> MetricRun:
    try:
        return run_metric(metric, batch, rng=np.random.default_rng(seed), fit_batch=fit_batch)
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"metric {metric.info.id!r} fails: {type(error).__name__}: {error}") from error


def _list_rows(metric: Metric | Fittable, run: MetricRun) -> list[ScoreRow]:
    info = metric.info
    corpus = ScoreRow(metric=info.id, level=Level.CORPUS, key=None, value=run.corpus)
    if info.level is Level.CORPUS:
        return [corpus]
    rows = [
        ScoreRow(metric=info.id, level=info.level, key=key, value=float(value))
        for key, value in zip(run.scores.keys, run.scores.values, strict=True)
    ]
    return [*rows, corpus]
