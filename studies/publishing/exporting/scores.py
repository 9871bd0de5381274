"""Export of the scores of all metrics, one row per caption (or caption set)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from correlation.protocols.named import ReferenceRule
from metrics_plugins.api import Level
from studies.datasets.external_scores import REFERENCES as EXTERNAL
from studies.design.protocols import find_level, find_rule
from studies.models import Candidate, CaptionSet, Run, ScoringInput, Study
from studies.scoring.chunks import unpack_scores
from studies.scoring.references import expand_rule
from studies.scoring.stored_scores import average_alternatives, list_external, load_external

KEYS = ("key", "image", "system")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumn:
    """The scores of one metric under one reference selection, by the primary key of the caption or caption set."""

    metric: str
    references: str
    signature: str
    higher_is_better: bool
    row_ids: np.ndarray
    values: np.ndarray

    def find(self, pk: int) -> float | None:
        place = int(np.searchsorted(self.row_ids, pk))
        if place == len(self.row_ids) or self.row_ids[place] != pk:
            return None
        return float(self.values[place])


def load_columns(study: Study, *, rule: ReferenceRule | None = None) -> list[ScoreColumn]:
    """Return the columns of all finished runs under a reference rule, by default that of the study's own protocol.

    Each draw of references is a column; the parts of a reference set are one. Scores from outside follow.
    """
    level = find_level(study)
    columns: list[ScoreColumn] = []
    rule = rule or find_rule(study)
    for selection in expand_rule(rule, dataset=study.dataset):
        inputs = ScoringInput.objects.filter(dataset=study.dataset_id, level=level.value, references=str(selection))
        newest = inputs.order_by("-created_at", "-pk").first()
        if newest is not None:
            columns += _load_input(newest, name=rule.signature if selection.part else newest.references)
    external = load_external(study.dataset, level=level, metrics=list_external(study.dataset, level=level))
    return _join_parts(columns) + [
        _make_column(found.runs[metric], EXTERNAL, found.row_ids, found.values[metric])
        for metric, found in external.items()
    ]


def _load_input(stored: ScoringInput, *, name: str) -> list[ScoreColumn]:
    row_ids = np.frombuffer(stored.row_ids, dtype="<i8")
    runs = Run.objects.filter(input_digest=stored.digest, finished_at__isnull=False).order_by("metric", "pk")
    return [_make_column(run, name, *average_alternatives(row_ids, unpack_scores(run))) for run in runs]


def _make_column(run: Run, references: str, row_ids: np.ndarray, values: np.ndarray) -> ScoreColumn:
    return ScoreColumn(run.metric, references, run.signature, run.higher_is_better, row_ids, values)


def _join_parts(columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """Return columns of one metric, signature and reference rule as one, since they are of different captions."""
    parts: dict[tuple[str, str, str], list[ScoreColumn]] = {}
    for column in columns:
        parts.setdefault((column.metric, column.signature, column.references), []).append(column)
    joined = []
    for own in parts.values():
        row_ids = np.concatenate([part.row_ids for part in own])
        order = np.argsort(row_ids, kind="stable")
        values = np.concatenate([part.values for part in own])[order]
        joined.append(replace(own[0], row_ids=row_ids[order], values=values))
    return joined


def name_columns(columns: Sequence[ScoreColumn]) -> list[str]:
    """Return a name for each column: the metric's id, or its signature and references if it has several columns."""
    ids = [column.metric for column in columns]
    return [
        column.metric if ids.count(column.metric) == 1 else f"{column.signature}|references:{column.references}"
        for column in columns
    ]


def read_rows(study: Study, columns: Sequence[ScoreColumn]) -> Iterator[list[Any]]:
    """Yield the key, image and system of each caption or caption set, followed by its score in each column."""
    rows: Any
    if find_level(study) is Level.SEGMENT:
        found = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk")
        rows = found.values_list("pk", "key", "image__key", "system__name").iterator(chunk_size=2000)
    else:
        sets = CaptionSet.objects.filter(image__dataset=study.dataset_id).order_by("pk")
        rows = (
            (pk, f"{image}:{system}", image, system)
            for pk, image, system in sets.values_list("pk", "image__key", "system__name").iterator(chunk_size=2000)
        )
    for pk, *keys in rows:
        yield [*keys, *(column.find(pk) for column in columns)]
