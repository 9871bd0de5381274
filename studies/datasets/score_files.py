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

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.datasets.external_scores import PREFIX, check_metric_name, store_scores
from studies.datasets.importing.files.opening import open_file
from studies.datasets.importing.files.table_files import Record, read_records
from studies.datasets.importing.values import read_key, read_number
from studies.datasets.mtme_scores import choose_metrics, is_mtme, read_mtme
from studies.datasets.score_owners import NAMES, find_keys, list_owners
from studies.design.preregistration.declaration import confirm_metrics
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation
from studies.design.protocols import find_level
from studies.enums import AuditAction
from studies.models import Candidate, Run, ScoringInput, Study
from studies.shared.errors import ImportFailed, Unquoted

_FORBIDDEN: Final = re.compile(r"[,|\s]+")
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Direction:
    """Whether more is better, and the metric of the dataset that this was taken from, "" if it was not."""

    higher_is_better: bool
    model: str = ""


_MORE: Final = Direction(higher_is_better=True)
_LESS: Final = Direction(higher_is_better=False)


@dataclass(frozen=True, slots=True)
class ImportedScores:
    """The scores of one metric: its run, and how many captions of the dataset have none.

    Attributes:
        model: The metric of the dataset that the direction was taken from; "" if it was not.
    """

    run: Run
    n_missing: int
    model: str = ""

    def __str__(self) -> str:
        scored = self.run.n_rows - self.n_missing
        direction = f"{'higher' if self.run.higher_is_better else 'lower'} is better"
        counts = f"{self.run.metric}: {scored:,} captions have a score, {self.n_missing:,} have none; {direction}"
        return f"{counts}, as for {self.model}" if self.model else counts


@transaction.atomic
def import_score_file(
    study: Study,
    path: Path,
    *,
    metrics: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    now: datetime,
    actor: Actor = COMMAND_LINE,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> list[ImportedScores]:
    """Keep the scores in a CSV, JSON Lines or Parquet file, all or nothing.

    A row names captions by `key`, by `item` (of a pair with `side`), by `image` with `system` or `candidate` or both,
    or by `system`, which means all of its captions; caption sets by `key`, `item`, `image` with `system`, or `system`.
    Every other column is a metric; an empty cell is a missing score. Its direction is that of the dataset's scores of
    this metric, or of earlier scores from outside of this name; otherwise more is better. A folder or a .zip is read as
    mt-metrics-eval's, where more is always better.

    Args:
        study: A study of the dataset with the captions.
        path: The file.
        metrics: The columns to read; by default all but the keys.
        lower_is_better, higher_is_better: The columns whose direction is given.
        actor: Who imports the scores, for the history.
        confirmation: Whether metrics beyond those of the preregistration are confirmed.

    Raises:
        ImportFailed: A column is missing, two columns get one name, a row names no caption, or two rows give one
            caption different scores.
        DeviationNotConfirmed: There are metrics beyond those of the preregistration, and they are not confirmed.
    """
    given = dict.fromkeys(higher_is_better, _MORE) | dict.fromkeys(lower_is_better, _LESS)
    read = _import_mtme if is_mtme(path) else _import_table
    found = read(study, path, metrics=metrics, directions=given, now=now)
    names = sorted({each.run.metric for each in found})
    deviating = confirm_metrics(study, names, confirmation=confirmation)
    details = {"metrics": names, "file": path.name, **deviating}
    record_change(study, actor=actor, action=AuditAction.SCORES_IMPORTED, now=now, details=details)
    return found


def _import_table(
    study: Study, path: Path, *, metrics: Sequence[str], directions: Mapping[str, Direction], now: datetime
) -> list[ImportedScores]:
    table = read_records(open_file(path))
    keys = find_keys(study, columns=table.columns, file=table.name)
    chosen = list(dict.fromkeys(metrics)) or [name for name in table.columns if name not in NAMES]
    for name in (*chosen, *directions):
        if name not in table.columns:
            raise ImportFailed(table.name, f"must have a column {name}", got=Unquoted(", ".join(table.columns)))
    if not chosen:
        raise ImportFailed(table.name, "must have a column for each metric", got=Unquoted(", ".join(table.columns)))
    _check_names(chosen, source=table.name)
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
            study,
            column,
            found,
            captions=every,
            source=table.name,
            direction=directions.get(column) or find_direction(study, column),
            now=now,
        )
        for column, found in values.items()
    ]


def _import_mtme(
    study: Study, path: Path, *, metrics: Sequence[str], directions: Mapping[str, Direction], now: datetime
) -> list[ImportedScores]:
    found = read_mtme(study, path)
    choose_metrics(found, list(directions), source=path.name)
    chosen = choose_metrics(found, metrics, source=path.name)
    _check_names([each.metric for each in chosen], source=path.name)
    captions = set(Candidate.objects.filter(dataset=study.dataset_id).values_list("pk", flat=True))
    return [
        _keep_scores(
            study,
            each.metric,
            each.values,
            captions=captions,
            source=each.file,
            direction=directions.get(each.metric, _MORE),
            now=now,
        )
        for each in chosen
    ]


def _keep_scores(
    study: Study,
    column: str,
    found: Mapping[int, float],
    *,
    captions: Collection[int],
    source: str,
    direction: Direction,
    now: datetime,
) -> ImportedScores:
    """Store the scores of one metric by primary key of the captions (or caption sets), NaN for the other ones."""
    run = store_scores(
        study.dataset,
        name=read_metric_name(column),
        values={pk: found.get(pk, nan) for pk in captions},
        source=source,
        higher_is_better=direction.higher_is_better,
        now=now,
        level=find_level(study).value,
    )
    return ImportedScores(run, n_missing=len(captions) - len(found), model=direction.model)


def find_direction(study: Study, column: str) -> Direction:
    """Return the direction of the newest scores of a column's metric in the dataset, else that more is better."""
    digests = ScoringInput.objects.filter(dataset=study.dataset_id).values("digest")
    # A column that is called by a signature begins with the metric's id.
    for metric in dict.fromkeys((column.partition("|")[0], PREFIX + read_metric_name(column))):
        runs = Run.objects.filter(metric=metric, input_digest__in=digests, finished_at__isnull=False)
        if newest := runs.order_by("finished_at", "pk").last():
            return Direction(newest.higher_is_better, model=metric)
    return _MORE


def _check_names(columns: Sequence[str], *, source: str) -> None:
    """Raise ImportFailed if two columns are one metric, of which only one could be kept."""
    by_name: dict[str, list[str]] = {}
    for column in columns:
        by_name.setdefault(read_metric_name(column), []).append(column)
    for name, own in by_name.items():
        if len(own) > 1:
            rule = f"must have one column of scores for {PREFIX}{name} (choose one by --metrics)"
            raise ImportFailed(source, rule, got=Unquoted(", ".join(own)))


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
