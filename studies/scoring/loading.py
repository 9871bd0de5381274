"""Loading of scores from the database, aligned with their rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Level
from studies.models import Dataset, Run, ScoringInput
from studies.scoring.chunks import unpack_counted
from studies.scoring.references import ReferenceSelection

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
    """

    row_ids: Ids
    values: Mapping[str, Values]
    runs: Mapping[str, Run]
    infinite: Mapping[str, int] = field(default_factory=dict)

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
    return LoadedScores(
        row_ids=np.frombuffer(newest.row_ids, dtype="<i8").astype(np.int64, copy=False),
        values={metric: values for metric, (values, _) in unpacked.items()},
        runs=current,
        infinite={metric: n_infinite for metric, (_, n_infinite) in unpacked.items() if n_infinite},
    )


def read_version(signature: str) -> str:
    """Return the version that a metric's signature ends with."""
    # Parse the signature instead of building the metric, which may load megabytes of resources.
    return signature.rpartition("|v:")[2]
