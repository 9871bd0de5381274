"""Training data for metrics that learn from judgments: the judged rows of a study with their mean judgments."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.protocols.reading import read_protocol
from metrics_plugins.api import Level
from metrics_plugins.api.batches.judged import JudgedRows
from studies.collection.judgments import check_judged, load_judgments
from studies.design.protocols import find_rule
from studies.enums import TaskKind
from studies.models import Study
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows, build_rows
from studies.scoring.references import expand_rule
from studies.storage.local_copies import FindPath

TRAINING_KINDS: Final[Mapping[Level, frozenset[TaskKind]]] = MappingProxyType(
    {
        Level.SEGMENT: frozenset({TaskKind.RATING, TaskKind.TURING, TaskKind.BEST_WORST}),
        Level.SET: frozenset({TaskKind.SET_RATING}),
    }
)
"""Level of a score -> kinds of studies whose judgments rate a single caption (or a single caption set)."""


def load_judged(study: Study, rows: InputRows, *, find_image: FindPath | None = None) -> JudgedRows:
    """Return the judged rows of a study as training data for a metric that will score `rows`.

    Judgments are selected as in the study's own protocol: main tasks only, without excluded raters. Captions of the
    same dataset as `rows` keep the references that they have there. Captions of another dataset have the references
    that the study's protocol asks for (with several draws, those of the first), and their keys are prefixed with the
    dataset's name.

    Args:
        study: The study with the judgments.
        rows: The rows to be scored.
        find_image: As for `InputRows.make_batch`.

    Raises:
        ScoringFailed: The study has no judgments of single captions (or of caption sets, where those are scored).
    """
    check_training_study(study, rows.level)
    own = rows if study.dataset_id == rows.dataset.pk else _build_other(study, rows.level)
    protocol = read_protocol(study.protocol)
    judgments = load_judgments(study, protocol)
    table = judgments.table
    counts = np.ones(len(table.item), dtype=np.bool_)
    if judgments.in_references is not None:
        counts = ~judgments.in_references[table.item]
    places = np.searchsorted(own.ids, judgments.scored[table.item[counts], 0])
    numbers = np.bincount(places, minlength=len(own))
    judged = np.flatnonzero(numbers)
    if not len(judged):
        raise ScoringFailed(f"study {study.name} has no judgments that its protocol counts")
    sums = np.bincount(places, weights=table.value[counts], minlength=len(own))
    return JudgedRows(own.make_batch(judged, find_image=find_image), sums[judged] / numbers[judged])


def check_training_study(study: Study, level: Level) -> None:
    """Raise ScoringFailed if a study has no judgments of single rows of this level."""
    # Studies that collect captions pass here; `check_judged` refuses them with a message that says what to do.
    if study.kind not in (*TRAINING_KINDS[level], TaskKind.CAPTION):
        what = "caption sets" if level is Level.SET else "single captions"
        raise ScoringFailed(f"study {study.name} has no judgments of {what} to fit on: its tasks are {study.kind}")
    try:
        check_judged(study)
    except CorrelationInputError as error:
        raise ScoringFailed(str(error)) from error


def _build_other(study: Study, level: Level) -> InputRows:
    built = build_rows(study.dataset, level=level, selection=expand_rule(find_rule(study), dataset=study.dataset)[0])
    # Two datasets may use the same keys, and a metric refuses to score keys that it was trained on.
    return replace(built, keys=tuple(f"{study.dataset.name}/{key}" for key in built.keys))
