"""The agreement of bundled metrics with published judgments, measured once and shipped as numbers."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from metrics_plugins.runtime.sandbox import CatalogEntry


@dataclass(frozen=True, slots=True)
class PublishedAgreement:
    """The agreement of a metric with the judgments of one published data set.

    Attributes:
        study: The name of the data set.
        measure: The coefficient, such as `Kendall τ-c`.
        value: The agreement.
        low: The lower end of its 95 % interval.
        high: The upper end.
        people: The agreement of people with each other, the human ceiling; None if it cannot be computed.
    """

    study: str
    measure: str
    value: float
    low: float
    high: float
    people: float | None


def find_agreement(entry: CatalogEntry) -> tuple[PublishedAgreement, ...]:
    """Return the agreement of a metric with each data set of docs/benchmark-matrix.md; empty if it is not there."""
    table = _read_table()
    if not entry.bundled or entry.info.id not in table["metrics"]:
        return ()
    cells = table["metrics"][entry.info.id]
    return tuple(
        PublishedAgreement(**column, **cell, people=people["value"] if people else None)
        for column, cell, people in zip(table["columns"], cells, table["people"], strict=True)
        if cell
    )


@cache
def _read_table() -> dict[str, Any]:
    content = files(__package__).joinpath("published_agreement.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(content)
    return table
