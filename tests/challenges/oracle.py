"""Counts and boards computed plainly, from rows and files, to compare those of the product with."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric
from tests.challenges.challenges import CAPTIONS

COUNTS = {"received", "validated", "queued", "scoring", "scored"}
OVER = {"scored", "failed", "cancelled"}
COLUMNS = tuple((f"c{count}", metric) for count in (2, 3) for metric in ("cider-d", "rouge-l", "bleu-4"))
"""The columns of the phase that `make_phase` makes."""


@dataclass
class Plain:
    """A submission as its team remembers it: when it was completed, what is in it, and what became of it.

    `uncomputed` are the columns that it was told have no score.
    """

    token: str
    pk: int
    team: str
    at: datetime
    content: bytes
    state: str
    is_disqualified: bool = False
    uncomputed: frozenset[tuple[str, str]] = frozenset()


def is_today(at: datetime, *, now: datetime, zone: str) -> bool:
    """Whether two moments have the same date on a calendar of a time zone."""
    return at.astimezone(ZoneInfo(zone)).date() == now.astimezone(ZoneInfo(zone)).date()


@cache
def score_plainly(content: bytes) -> tuple[float | None, ...]:
    """Return the scores of a valid file by the metrics alone, in the order of `COLUMNS`."""
    captions = {str(each["image_id"]): each["caption"] for each in json.loads(content)}
    found = []
    for references, metric in COLUMNS:
        count = int(references[1:])
        keys = [key for key, texts in CAPTIONS.items() if len(texts) >= count]
        batch = Batch.make(
            keys,
            candidates=[captions[key] for key in keys],
            references=[CAPTIONS[key][:count] for key in keys],
            image_keys=keys,
        )
        built = load_registry(outside=False).build(metric)
        value = run_metric(built, batch, rng=np.random.default_rng(0)).corpus
        found.append(None if np.isnan(value) else float(value))
    return tuple(found)


def rank_plainly(submissions: Iterable[Plain], *, rule: str, decimals: int) -> list[tuple]:
    """Return the board: rank, team, submission and rounded values, best first; of equal entries the earliest first."""
    entries: dict[str, tuple] = {}
    for each in sorted(submissions, key=lambda one: (one.at, one.pk)):
        if each.state != "scored" or each.is_disqualified:
            continue
        values = tuple(
            None if one is None or column in each.uncomputed else round(one, decimals)
            for column, one in zip(COLUMNS, score_plainly(each.content), strict=True)
        )
        old = entries.get(each.team)
        if old is None or rule == "latest" or _strength(values) > _strength(old[1]):
            entries[each.team] = (each.pk, values)
    ordered = sorted(entries.items(), key=lambda item: (-_strength(item[1][1]), item[1][0]))
    return [
        (1 + sum(_strength(other) > _strength(values) for _, other in entries.values()), team, pk, values)
        for team, (pk, values) in ordered
    ]


def _strength(values: tuple) -> float:
    return float("-inf") if values[0] is None else values[0]
