"""What a report was made from, in one short text: equal text, equal report by the same choices, in any database."""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from studies.analysis.analysis import StudyObservations, sign_run


def digest_observations(gathered: StudyObservations) -> str:
    """Return the SHA-256 of the judgments with what they are of, and of the scores; of no primary key."""
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
        # Of arrays of text the bytes have the width of the longest.
        digest.update("\0".join(column.tolist()).encode())
    else:
        digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
