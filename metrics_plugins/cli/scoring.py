"""`score`: metrics on files of captions."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from tqdm import tqdm

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricError
from metrics_plugins.api.judged import JudgedRows
from metrics_plugins.cli.building import build_metrics, split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.inputs import Captions, read_inputs
from metrics_plugins.cli.output import ScoreRow, check_output, print_rows, write_rows
from metrics_plugins.readers import Corpus, read_captions, read_corpus, read_judgments
from metrics_plugins.runtime import MetricRun, fit_on_judgments, run_metric
from metrics_plugins.runtime.cross_fitting import name_judgments


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
    knowledge = _Knowledge(
        corpus=read_corpus(corpus) if corpus else None,
        judged=_read_judged(judged, references) if judged and references else None,
        seed=seed,
    )
    runs = _run_metrics(metrics, captions, knowledge)
    rows = [row for metric, run in zip(metrics, runs, strict=True) for row in _list_rows(metric, run)]
    if out:
        write_rows(out, rows)
    else:
        print_rows(rows)
    if show_signatures:
        sys.stderr.writelines(f"{run.signature}\n" for run in runs)
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class _Knowledge:
    """What metrics learn from that is not to be scored, and the seed of what they draw."""

    corpus: Corpus | None
    judged: JudgedRows | None
    seed: int


def _read_judged(judged: Path, references: Path) -> JudgedRows:
    known: dict[str, list[str]] = {}
    for record in read_captions(references).records:
        known.setdefault(record.image_id, []).append(record.caption)
    return read_judgments(judged).make_rows(known)


def _check_inputs(metric: Metric | Fittable, *, has_references: bool, has_corpus: bool, has_judged: bool) -> None:
    info = metric.info
    fits_on = FitsOn.NOTHING if isinstance(metric, Fittable) and metric.is_taught else info.fits_on
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


def _run_metrics(metrics: Sequence[Metric | Fittable], captions: Captions, knowledge: _Knowledge) -> list[MetricRun]:
    batches: dict[Level, Batch] = {}
    progress = tqdm(metrics, file=sys.stderr, disable=None, unit="metric", leave=False)
    runs = []
    for metric in progress:
        progress.set_description(metric.info.id)
        kind = Level.SET if Input.CAPTION_SET in metric.info.inputs else Level.SEGMENT
        if kind not in batches:
            batches[kind] = captions.make_sets() if kind is Level.SET else captions.make_segments()
        batch = batches[kind]
        learns = metric.info.fits_on if isinstance(metric, Fittable) and not metric.is_taught else FitsOn.NOTHING
        corpus, judged, seed = knowledge.corpus, knowledge.judged, knowledge.seed
        if corpus and learns is FitsOn.CAPTIONS:
            run = _run(metric, batch, fit_batch=corpus.make_batch(metric.info), seed=seed)
            runs.append(replace(run, signature=run.signature.name_corpus(corpus.digest)))
        elif judged and learns is FitsOn.JUDGMENTS:
            runs.append(_run_judged(metric, batch, judged, seed=seed))
        else:
            runs.append(_run(metric, batch, fit_batch=_choose_fit_batch(metric, batch, captions), seed=seed))
    return runs


def _run_judged(metric: Metric | Fittable, batch: Batch, judged: JudgedRows, *, seed: int) -> MetricRun:
    scored = frozenset(batch.image_keys)
    with _naming(metric):
        fitted = fit_on_judgments(cast("Fittable", metric), judged, scored=scored, rng=np.random.default_rng(seed))
    run = _run(fitted, batch, fit_batch=batch, seed=seed)
    return replace(run, signature=name_judgments(run.signature, judged, scored=scored))


def _choose_fit_batch(metric: Metric | Fittable, batch: Batch, captions: Captions) -> Batch:
    # An image's references count once, however many candidates it has.
    first_rows = captions.first_rows
    is_repeated = len(first_rows) < len(batch)
    return batch.select(first_rows) if metric.info.fits_on is FitsOn.REFERENCES and is_repeated else batch


def _run(metric: Metric | Fittable, batch: Batch, *, fit_batch: Batch, seed: int) -> MetricRun:
    with _naming(metric):
        return run_metric(metric, batch, rng=np.random.default_rng(seed), fit_batch=fit_batch)


@contextmanager
def _naming(metric: Metric | Fittable) -> Iterator[None]:
    """Name the metric in whatever it raises."""
    try:
        yield
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
