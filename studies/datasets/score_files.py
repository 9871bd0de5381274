"""Files of scores that somebody else computed, matched with the captions of a dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import nan
from pathlib import Path
from typing import Final

from django.db import transaction

from studies.datasets.external_scores import check_metric_name, store_scores
from studies.datasets.importing.files.table_files import Record, Table, read_records
from studies.datasets.importing.values import read_key, read_number
from studies.models import Candidate, Run, Study
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import read_file

_KEYS: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("key",): ("key",),
    ("image", "system", "candidate"): ("image__key", "system__name", "text"),
    ("image", "system"): ("image__key", "system__name"),
    ("image", "candidate"): ("image__key", "text"),
    ("system",): ("system__name",),
}
"""Columns that name captions, the first that a file has -> fields of a candidate."""
_NAMES: Final = frozenset(name for names in _KEYS for name in names)


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

    A row names captions by `key`, by `image` with `system` or `candidate` or both, or by `system`, which means all of
    its captions. Every other column is a metric; an empty cell is a missing score.

    Args:
        study: A study of the dataset with the captions.
        path: The file.
        metrics: The columns to read; by default all but the keys.
        lower_is_better: The columns in which less is better.
        now: The time.

    Raises:
        ImportFailed: A column is missing, a row names no caption, or two rows give one caption different scores.
    """
    table = read_records(read_file(path))
    keys = _find_keys(table)
    chosen = list(metrics) or [name for name in table.columns if name not in _NAMES]
    for name in (*chosen, *lower_is_better):
        if name not in table.columns:
            raise ImportFailed(table.name, f"must have a column {name}", got=Unquoted(", ".join(table.columns)))
    if not chosen:
        raise ImportFailed(table.name, "must have a column for each metric", got=Unquoted(", ".join(table.columns)))
    owners = _list_candidates(study, keys)
    values: dict[str, dict[int, float]] = {check_metric_name(name): {} for name in chosen}
    for record in table.records:
        own = _find_owners(record, keys, owners, study=study)
        for name in chosen:
            if record.values.get(name) is not None:
                _add(values[name], own, record, name)
    every = [pk for pks in owners.values() for pk in pks]
    return [
        ImportedScores(
            store_scores(
                study.dataset,
                name=name,
                values={pk: found.get(pk, nan) for pk in every},
                source=table.name,
                higher_is_better=name not in lower_is_better,
                now=now,
            ),
            n_missing=len(every) - len(found),
        )
        for name, found in values.items()
    ]


def _find_keys(table: Table) -> tuple[str, ...]:
    for keys in _KEYS:
        if set(keys) <= set(table.columns):
            return keys
    rule = "must name captions by the columns key; image with system or candidate; or system"
    raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))


def _list_candidates(study: Study, keys: tuple[str, ...]) -> dict[tuple[str, ...], list[int]]:
    owners: dict[tuple[str, ...], list[int]] = {}
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk").values_list("pk", *_KEYS[keys])
    for pk, *key in rows.iterator(chunk_size=2000):
        owners.setdefault(tuple(key), []).append(pk)
    return owners


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
