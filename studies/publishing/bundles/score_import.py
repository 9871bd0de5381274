"""Imports the scores of a bundle, as runs that were computed elsewhere."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np

from metrics_plugins.api import Level
from studies.models import Dataset, Run, ScoreChunk, ScoringInput
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.records import BundleFiles, blame
from studies.publishing.bundles.scores import INPUTS, unpack_array
from studies.scoring.chunks import pack, unpack_scores


def write_scores(
    files: BundleFiles,
    dataset: Dataset,
    *,
    candidates: Mapping[str, int],
    sets: Mapping[tuple[str, str], int],
    now: datetime,
) -> None:
    """Import each scoring input with its runs; an existing run must have exactly the same scores."""
    for place, record in enumerate(files.read_json(INPUTS)):
        with blame(f"{INPUTS}, input {place + 1}"):
            level = Level(record["level"])

            def find(row: Any, level: Level = level) -> int:
                return candidates[row] if level is Level.SEGMENT else sets[tuple(row)]

            ids = np.asarray(list(files.read_lines(record["rows"], find)), dtype="<i8")
            if len(ids) != record["n_rows"] or (np.diff(ids) < 0).any():
                raise BundleRefused(f"{record['rows']}: must name {record['n_rows']} rows in the order of the captions")
            ScoringInput.objects.create(
                dataset=dataset,
                level=level.value,
                references=record["references"],
                digest=record["digest"],
                n_rows=len(ids),
                row_ids=ids.tobytes(),
                created_at=now,
            )
            for run in record["runs"]:
                _write_run(files, run, digest=record["digest"], n_rows=len(ids))


def _write_run(files: BundleFiles, record: Any, *, digest: str, n_rows: int) -> None:
    values = unpack_array(files.get(record["values"]), name=record["values"], n_rows=n_rows)
    run, is_new = Run.objects.get_or_create(
        signature=record["signature"],
        input_digest=digest,
        defaults={
            "metric": record["metric"],
            "n_rows": n_rows,
            "chunk_size": max(n_rows, 1),
            "higher_is_better": record["higher_is_better"],
            "plugin": record["plugin"],
            "versions": record["versions"],
            "device": record["device"],
            "dtype": record["dtype"],
            "seconds": record["seconds"],
            "started_at": datetime.fromisoformat(record["started_at"]),
            "finished_at": datetime.fromisoformat(record["finished_at"]),
        },
    )
    if is_new:
        ScoreChunk.objects.create(run=run, index=0, values=pack(values))
    elif run.finished_at is None:
        raise BundleRefused(f"a run of {run.signature} on the same captions was started here and is not finished")
    elif pack(unpack_scores(run)) != pack(values):
        raise BundleRefused(
            f"{record['values']}: scores of {run.signature} on the same captions differ from those stored here"
        )
