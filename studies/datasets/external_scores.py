"""Scores that somebody else computed, kept beside those of this platform under a name and a signature of their own."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

import numpy as np
from django.db import transaction

from studies.models import Dataset, Run, ScoreChunk, ScoringInput
from studies.shared.errors import ImportFailed

PREFIX: Final = "external:"
"""What the id of every metric begins with whose scores come from outside."""
VERSION: Final = "external"
REFERENCES: Final = "external"
"""The reference rule of scores from outside: what they were compared with is not known."""
_NAME: Final = re.compile(r"[^\s,|](?:[^,|\n]*[^\s,|])?")


def check_metric_name(name: str) -> str:
    """Return a name for a metric from outside; raise ImportFailed unless it can be named in commands."""
    if not _NAME.fullmatch(name) or len(name) > 80 or not name.isprintable():
        raise ImportFailed("metric", "must be 1 to 80 characters without commas, bars and line breaks", got=name)
    return name


@transaction.atomic
def store_scores(
    dataset: Dataset,
    *,
    name: str,
    values: Mapping[int, float],
    source: str,
    higher_is_better: bool,
    now: datetime,
    level: str = "segment",
) -> Run:
    """Keep the scores of a metric from outside; the newest scores of a name are the ones that are used.

    Args:
        dataset: Where the captions are.
        name: Of the metric; its id is `external:NAME`.
        values: Scores by primary key of the candidate (or caption set), NaN where missing.
        source: The name of the file, for the signature.
        higher_is_better: Whether more is better.
        level: `segment` for candidates, `set` for caption sets.
    """
    ids = np.asarray(sorted(values), dtype="<i8")
    scores = np.asarray([values[pk] for pk in ids.tolist()], dtype="<f8")
    content = hashlib.sha256(ids.tobytes() + scores.tobytes()).hexdigest()
    metric = PREFIX + check_metric_name(name)
    signature = f"{metric}|file:{source[:100]}|sha256:{content[:12]}|v:{VERSION}"
    # The direction makes scores other ones, so that a file may be read again with another direction.
    direction = "" if higher_is_better else "\nless is better"
    digest = hashlib.sha256(f"{signature}\n{dataset.pk}\n{content}{direction}".encode()).hexdigest()
    ScoringInput.objects.update_or_create(
        dataset=dataset,
        level=level,
        references=REFERENCES,
        digest=digest,
        defaults={"n_rows": len(ids), "row_ids": ids.tobytes(), "created_at": now},
    )
    run, is_new = Run.objects.get_or_create(
        signature=signature,
        input_digest=digest,
        defaults={
            "metric": metric,
            "n_rows": len(ids),
            "chunk_size": max(1, len(ids)),
            "higher_is_better": higher_is_better,
            "plugin": VERSION,
            "versions": {},
            "device": VERSION,
            "dtype": "float64",
            "started_at": now,
            "finished_at": now,
        },
    )
    if is_new:
        ScoreChunk.objects.create(run=run, index=0, values=scores.tobytes())
    return run
