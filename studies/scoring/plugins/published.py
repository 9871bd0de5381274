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


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """The agreement of all metrics with the judgments of one published data set.

    Attributes:
        study: The name of the data set.
        measure: The coefficient.
        people: Value and ends of the interval of the human ceiling; None if it cannot be computed.
        metrics: The same of each metric that was measured, by mean rank over all data sets, best first.
    """

    study: str
    measure: str
    people: dict[str, float] | None
    metrics: dict[str, dict[str, float]]


def list_published_columns() -> tuple[PublishedColumn, ...]:
    """Return the columns of docs/benchmark-matrix.md."""
    table = _read_table()
    return tuple(
        PublishedColumn(
            **column,
            people=table["people"][place],
            metrics={name: cells[place] for name, cells in table["metrics"].items() if cells[place]},
        )
        for place, column in enumerate(table["columns"])
    )


def find_agreement(entry: CatalogEntry) -> tuple[PublishedAgreement, ...]:
    """Return the agreement of a metric with each data set of docs/benchmark-matrix.md; empty if it is not there."""
    if not entry.bundled:
        return ()
    return tuple(
        PublishedAgreement(
            column.study,
            column.measure,
            **column.metrics[entry.info.id],
            people=column.people["value"] if column.people else None,
        )
        for column in list_published_columns()
        if entry.info.id in column.metrics
    )


@cache
def _read_table() -> dict[str, Any]:
    content = files(__package__).joinpath("published_agreement.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(content)
    return table
