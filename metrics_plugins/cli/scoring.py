"""`score`: metrics on files of captions."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from tqdm import tqdm

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricError
from metrics_plugins.api.judged import JudgedRows
from metrics_plugins.cli.building import build_metrics, split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.inputs import Captions, read_inputs
from metrics_plugins.cli.output import ScoreRow, check_output, print_rows, write_rows
from metrics_plugins.readers import read_captions, read_corpus, read_judgments
from metrics_plugins.runtime import MetricRun, run_metric
from metrics_plugins.runtime.preparing import Learning, PreparedMetric


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
        _check_inputs(metric, has_references=references is not None, has_corpus=bool(corpus), has_judged=bool(judged))
    captions = read_inputs(candidates, references=references)
    learning = Learning(
        captions.make_segments,
        corpus=read_corpus(corpus) if corpus else None,
        judged=_read_judged(judged, references) if judged and references else None,
        seed=seed,
    )
    runs = _run_metrics(metrics, captions, learning)
    rows = [row for metric, run in zip(metrics, runs, strict=True) for row in _list_rows(metric, run)]
    if out:
        write_rows(out, rows)
    else:
        print_rows(rows)
    if show_signatures:
        sys.stderr.writelines(f"{run.signature}\n" for run in runs)
    return 0


def _read_judged(judged: Path, references: Path) -> JudgedRows:
    known: dict[str, list[str]] = {}
    for record in read_captions(references).records:
        known.setdefault(record.image_id, []).append(record.caption)
    return read_judgments(judged).make_rows(known)


def _check_inputs(metric: Metric | Fittable, *, has_references: bool, has_corpus: bool, has_judged: bool) -> None:
    info = metric.info
    fits_on = FitsOn.NOTHING if isinstance(metric, Fittable) and metric.is_fitted else info.fits_on
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


def _run_metrics(metrics: Sequence[Metric | Fittable], captions: Captions, learning: Learning) -> list[MetricRun]:
    batches: dict[Level, Batch] = {}
    progress = tqdm(metrics, file=sys.stderr, disable=None, unit="metric", leave=False)
    runs = []
    for metric in progress:
        progress.set_description(metric.info.id)
        kind = Level.SET if Input.CAPTION_SET in metric.info.inputs else Level.SEGMENT
        if kind not in batches:
            batches[kind] = captions.make_sets() if kind is Level.SET else captions.make_segments()
        batch = batches[kind]
        own = replace(
            learning,
            make_documents=partial(_choose_documents, metric, batch, captions),
            scored_images=frozenset(batch.image_keys),
        )
        runs.append(_run(PreparedMetric(metric, own), batch))
    return runs


def _choose_documents(metric: Metric | Fittable, batch: Batch, captions: Captions) -> Batch:
    # An image's references count once, however many candidates it has.
    first_rows = captions.first_rows
    is_repeated = len(first_rows) < len(batch)
    return batch.select(first_rows) if metric.info.fits_on is FitsOn.REFERENCES and is_repeated else batch


def _run(prepared: PreparedMetric, batch: Batch) -> MetricRun:
    try:
        run = run_metric(prepared.ready, batch, rng=np.random.default_rng(prepared.learning.seed))
    except MetricError:
        raise
    except Exception as error:
        name = prepared.built.info.id
        raise MetricError(f"metric {name!r} fails: {type(error).__name__}: {error}") from error
    return replace(run, signature=prepared.name_learned(run.signature))


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
