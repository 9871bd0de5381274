"""Files of scores that somebody else computed, matched with the captions of a dataset."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import nan
from pathlib import Path
from typing import Final

from django.db import transaction

from studies.datasets.external_scores import PREFIX, check_metric_name, store_scores
from studies.datasets.importing.files.opening import open_file
from studies.datasets.importing.files.table_files import Record, read_records
from studies.datasets.importing.values import read_key, read_number
from studies.datasets.mtme_scores import choose_metrics, is_mtme, read_mtme
from studies.datasets.score_owners import NAMES, find_keys, list_owners
from studies.design.protocols import find_level
from studies.models import Candidate, Run, Study
from studies.shared.errors import ImportFailed, Unquoted

_FORBIDDEN: Final = re.compile(r"[,|\s]+")
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class ImportedScores:
    """The scores of one metric: its run, and how many captions of the dataset have none."""

    run: Run
    n_missing: int

    def __str__(self) -> str:
        scored = self.run.n_rows - self.n_missing
        return f"{self.run.metric}: {scored:,} captions have a score, {self.n_missing:,} have none"


@transaction.atomic
def import_score_file(
    study: Study, path: Path, *, metrics: Sequence[str] = (), lower_is_better: Sequence[str] = (), now: datetime
) -> list[ImportedScores]:
    """Keep the scores in a CSV, JSON Lines or Parquet file, all or nothing.

    A row names captions by `key`, by `item` (of a pair with `side`), by `image` with `system` or `candidate` or both,
    or by `system`, which means all of its captions; caption sets by `key`, `item`, `image` with `system`, or `system`.
    Every other column is a metric; an empty cell is a missing score. A folder or a .zip is read as mt-metrics-eval's.

    Args:
        study: A study of the dataset with the captions.
        path: The file.
        metrics: The columns to read; by default all but the keys.
        lower_is_better: The columns in which less is better.
        now: The time.

    Raises:
        ImportFailed: A column is missing, a row names no caption, or two rows give one caption different scores.
    """
    if is_mtme(path):
        return _import_mtme(study, path, metrics=metrics, lower_is_better=lower_is_better, now=now)
    table = read_records(open_file(path))
    keys = find_keys(study, columns=table.columns, file=table.name)
    chosen = list(metrics) or [name for name in table.columns if name not in NAMES]
    for name in (*chosen, *lower_is_better):
        if name not in table.columns:
            raise ImportFailed(table.name, f"must have a column {name}", got=Unquoted(", ".join(table.columns)))
    if not chosen:
        raise ImportFailed(table.name, "must have a column for each metric", got=Unquoted(", ".join(table.columns)))
    owners = list_owners(study, keys)
    values: dict[str, dict[int, float]] = {name: {} for name in chosen}
    for record in table.records:
        own = _find_owners(record, keys, owners, study=study)
        for name in chosen:
            if record.values.get(name) is not None:
                _add(values[name], own, record, name)
    every = {pk for pks in owners.values() for pk in pks}
    return [
        _keep_scores(
            study, column, found, captions=every, source=table.name, is_lower_better=column in lower_is_better, now=now
        )
        for column, found in values.items()
    ]


def _import_mtme(
    study: Study, path: Path, *, metrics: Sequence[str], lower_is_better: Sequence[str], now: datetime
) -> list[ImportedScores]:
    found = read_mtme(study, path)
    choose_metrics(found, lower_is_better, source=path.name)
    captions = set(Candidate.objects.filter(dataset=study.dataset_id).values_list("pk", flat=True))
    return [
        _keep_scores(
            study,
            each.metric,
            each.values,
            captions=captions,
            source=each.file,
            is_lower_better=each.metric in lower_is_better,
            now=now,
        )
        for each in choose_metrics(found, metrics, source=path.name)
    ]


def _keep_scores(
    study: Study,
    column: str,
    found: Mapping[int, float],
    *,
    captions: Collection[int],
    source: str,
    is_lower_better: bool = False,
    now: datetime,
) -> ImportedScores:
    """Store the scores of one metric by primary key of the captions (or caption sets), NaN for the other ones."""
    run = store_scores(
        study.dataset,
        name=read_metric_name(column),
        values={pk: found.get(pk, nan) for pk in captions},
        source=source,
        higher_is_better=not is_lower_better,
        now=now,
        level=find_level(study).value,
    )
    return ImportedScores(run, n_missing=len(captions) - len(found))


def read_metric_name(column: str) -> str:
    """Return the name of the metric of a column, which may be that of an exported file.

    A column that is called by a signature is shortened to a name that commands can take.
    """
    name = _FORBIDDEN.sub(" ", column.removeprefix(PREFIX)).strip()
    if len(name) > _LONGEST:
        digest = hashlib.sha256(column.encode()).hexdigest()[:8]
        name = f"{name[: _LONGEST - 9].strip()} {digest}"
    return check_metric_name(name)


def _find_owners(
    record: Record, keys: tuple[str, ...], owners: Mapping[tuple[str, ...], list[int]], *, study: Study
) -> list[int]:
    values = []
    for key in keys:
        if record.values.get(key) is None:
            raise ImportFailed(record.location.at(key), "must not be empty")
        values.append(read_key(record.values[key], record.location.at(key), longest=10_000))
    found = owners.get(tuple(values))
    if found is None:
        rule = f"must name a caption of dataset {study.dataset.name}"
        raise ImportFailed(record.location.at(keys[0]), rule, got=", ".join(values))
    return found


def _add(values: dict[int, float], owners: Sequence[int], record: Record, name: str) -> None:
    location = record.location.at(name)
    value = read_number(record.values[name], location)
    for pk in owners:
        if values.setdefault(pk, value) != value:
            raise ImportFailed(location, f"must be the score of an earlier row ({values[pk]:g})", got=f"{value:g}")
