"""Loading of scores from the database, aligned with their rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from correlation.protocols.named import ReferenceRule
from metrics_plugins.api import Level
from studies.datasets.external_scores import PREFIX, REFERENCES
from studies.models import Dataset, Run, ScoringInput
from studies.scoring.chunks import unpack_counted
from studies.scoring.references import ReferenceSelection, expand_rule
from studies.shared.own_captions import OwnCaptions, add_counts

Ids = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LoadedScores:
    """Scores of one input by metric id, for the metrics that have a finished run.

    Attributes:
        row_ids: `(n_rows,)` primary keys of candidates or caption sets, ascending.
        values: `(n_rows,)` float64; NaN where the metric is undefined.
        runs: The runs that the values come from.
        infinite: The number of infinite scores, which count as missing, of each metric that has any.
        own_captions: How many rows have their caption among their references; None if it was not counted.
    """

    row_ids: Ids
    values: Mapping[str, Values]
    runs: Mapping[str, Run]
    infinite: Mapping[str, int] = field(default_factory=dict)
    own_captions: OwnCaptions | None = None

    def find_rows(self, ids: Ids) -> Ids:
        """Return the row number of each id, -1 for an unknown id."""
        if not len(self.row_ids):
            return np.full(len(ids), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.row_ids, ids), len(self.row_ids) - 1)
        return np.where(self.row_ids[places] == ids, places, -1)


def load_scores(
    dataset: Dataset,
    *,
    level: Level,
    selection: ReferenceSelection,
    versions: Mapping[str, str],
    signatures: Mapping[str, str] | None = None,
) -> LoadedScores:
    """Return the scores of the newest input of a dataset under a reference rule.

    Args:
        versions: The metrics to load with their installed versions; scores of any other version are stale.
        signatures: The signature to use for a metric that was scored with several parameters; by default the newest.
    """
    newest = (
        ScoringInput.objects.filter(dataset=dataset, level=level.value, references=str(selection))
        .order_by("-created_at", "-pk")
        .first()
    )
    if newest is None:
        return LoadedScores(row_ids=np.empty(0, dtype=np.int64), values={}, runs={})
    finished = Run.objects.filter(input_digest=newest.digest, finished_at__isnull=False, metric__in=versions)
    valid = [run for run in finished.order_by("pk") if read_version(run.signature) == versions[run.metric]]
    # Sort the chosen run last, so that it replaces the others below.
    valid.sort(key=lambda run: run.signature == (signatures or {}).get(run.metric))
    current = {run.metric: run for run in valid}
    unpacked = {metric: unpack_counted(run) for metric, run in current.items()}
    row_ids = np.frombuffer(newest.row_ids, dtype="<i8").astype(np.int64, copy=False)
    return LoadedScores(
        row_ids=average_alternatives(row_ids, np.zeros(len(row_ids)))[0],
        values={metric: average_alternatives(row_ids, values)[1] for metric, (values, _) in unpacked.items()},
        runs=current,
        infinite={metric: n_infinite for metric, (_, n_infinite) in unpacked.items() if n_infinite},
        own_captions=OwnCaptions(**newest.own_captions) if newest.own_captions else None,
    )


def load_draws(
    dataset: Dataset,
    *,
    level: Level,
    rule: ReferenceRule,
    versions: Mapping[str, str],
    signatures: Mapping[str, str] | None = None,
) -> list[LoadedScores]:
    """Return the scores under each draw of a rule, one if nothing is drawn; the parts of a reference set are joined.

    Arguments as in `load_scores`.
    """
    loaded = [
        load_scores(dataset, level=level, selection=selection, versions=versions, signatures=signatures)
        for selection in expand_rule(rule, dataset=dataset)
    ]
    joined = [_join_parts(loaded)] if rule.kind == "set" and len(loaded) > 1 else loaded
    external = load_external(dataset, level=level, metrics=versions, signatures=signatures)
    return [_add_scores(each, external) for each in joined] if external else joined


def list_external(dataset: Dataset, *, level: Level) -> list[str]:
    """Return the ids of the metrics whose scores of a dataset come from outside, by name."""
    digests = ScoringInput.objects.filter(dataset=dataset, level=level.value, references=REFERENCES).values("digest")
    runs = Run.objects.filter(input_digest__in=digests, finished_at__isnull=False)
    return sorted(set(runs.values_list("metric", flat=True)))


def load_external(
    dataset: Dataset, *, level: Level, metrics: Iterable[str], signatures: Mapping[str, str] | None = None
) -> dict[str, LoadedScores]:
    """Return the scores from outside, by metric id: the newest, or those of the signature that is given."""
    wanted = {name for name in metrics if name.startswith(PREFIX)}
    if not wanted:
        return {}
    inputs = ScoringInput.objects.filter(dataset=dataset, level=level.value, references=REFERENCES)
    found: dict[str, LoadedScores] = {}
    for each in inputs.order_by("created_at", "pk"):
        for run in Run.objects.filter(input_digest=each.digest, metric__in=wanted, finished_at__isnull=False):
            chosen = (signatures or {}).get(run.metric)
            if chosen is not None and chosen != run.signature and run.metric in found:
                continue
            row_ids = np.frombuffer(each.row_ids, dtype="<i8").astype(np.int64, copy=False)
            values, n_infinite = unpack_counted(run)
            infinite = {run.metric: n_infinite} if n_infinite else {}
            found[run.metric] = LoadedScores(row_ids, {run.metric: values}, {run.metric: run}, infinite)
    return found


def _add_scores(loaded: LoadedScores, external: Mapping[str, LoadedScores]) -> LoadedScores:
    """Return the scores together with those from outside, NaN where one of them has no score of a row."""
    parts = [loaded, *external.values()]
    row_ids = np.unique(np.concatenate([part.row_ids for part in parts]))
    values: dict[str, Values] = {}
    for part in parts:
        for name, own in part.values.items():
            values[name] = np.full(len(row_ids), np.nan)
            values[name][np.searchsorted(row_ids, part.row_ids)] = own
    return replace(
        loaded,
        row_ids=row_ids,
        values=values,
        runs={name: run for part in parts for name, run in part.runs.items()},
        infinite={name: count for part in parts for name, count in part.infinite.items()},
    )


def average_alternatives(row_ids: Ids, values: Values) -> tuple[Ids, Values]:
    """Return each id once with the mean of its values, NaN if one is missing; `row_ids` `(n_rows,)` ascend."""
    starts = np.flatnonzero(np.diff(row_ids, prepend=-1))
    if len(starts) == len(row_ids):
        return row_ids, values
    means: Values = np.add.reduceat(values, starts) / np.diff(starts, append=len(row_ids))
    return row_ids[starts], means


def _join_parts(parts: Sequence[LoadedScores]) -> LoadedScores:
    """Return the scores of different rows as one; a metric that has not scored each part has none."""
    row_ids = np.concatenate([part.row_ids for part in parts])
    order = np.argsort(row_ids, kind="stable")
    metrics = [name for name in parts[0].values if all(name in part.values for part in parts)]
    counted = [part.own_captions for part in parts if part.own_captions]
    return LoadedScores(
        row_ids=row_ids[order],
        values={name: np.concatenate([part.values[name] for part in parts])[order] for name in metrics},
        runs={name: parts[0].runs[name] for name in metrics},
        infinite={name: count for name in metrics if (count := sum(part.infinite.get(name, 0) for part in parts))},
        own_captions=add_counts(counted) if counted else None,
    )


def read_version(signature: str) -> str:
    """Return the version that a metric's signature ends with."""
    # Parse the signature instead of building the metric, which may load megabytes of resources.
    return signature.rpartition("|v:")[2]
