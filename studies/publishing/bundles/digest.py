"""A digest of the data of a report: with equal digests and choices, reports are equal in any database."""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from studies.analysis.correlations import StudyObservations, sign_run


def digest_observations(gathered: StudyObservations) -> str:
    """Return the SHA-256 of the judgments, their items and the scores; primary keys are not included."""
    judgments = gathered.judgments
    table = judgments.table
    digest = hashlib.sha256(gathered.protocol.signature.encode())
    columns: dict[str, npt.NDArray[Any] | None] = {
        "image": table.image,
        "system": table.system,
        "category": table.category,
        "item": table.item,
        "rater": table.rater,
        "value": table.value,
        "criterion": table.criterion,
        "in references": judgments.in_references,
    }
    for name, column in columns.items():
        _add(digest, name, column)
    for observed in sorted(gathered.metrics, key=lambda each: each.metric):
        _add(digest, f"{observed.metric} {sign_run(observed.run)}", observed.scores)
    return digest.hexdigest()


def _add(digest: Any, name: str, column: npt.NDArray[Any] | None) -> None:
    digest.update(f"\n{name}\n".encode())
    if column is None:
        return
    digest.update(f"{column.shape}\n".encode())
    if column.dtype.kind in "US":
        # Join the texts: the bytes of a text array depend on the length of its longest element.
        digest.update("\0".join(column.tolist()).encode())
    else:
        digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
