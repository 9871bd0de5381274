"""The errors of the metric contract; each message names the metric or plugin, the rule and the offending value."""

from collections.abc import Iterable
from functools import partial
from typing import Any


class MetricError(Exception):
    """Base class of all errors of the metric contract."""


class UndeclaredInput(MetricError):
    """A metric read a column that its `MetricInfo.inputs` does not list."""


class MissingInput(MetricError):
    """A batch lacks a column that a metric declares."""


class UnknownMetric(MetricError):
    """No registered metric has this id."""


class UnknownTokenizer(MetricError):
    """No plugin provides a tokeniser of this name."""


class UnknownEncoder(MetricError):
    """No plugin provides an encoder of this name."""


class MissingResource(MetricError):
    """A metric needs a file or program that is not installed; the message says how to get it."""


class PluginError(MetricError):
    """A plugin cannot be used: it fails to import, misspells a hook, or claims an id already taken."""


class BadScores(MetricError):
    """A metric returned scores with wrong keys, shape or type, or out of bounds.

    `row` is the number of the first wrong row in the batch, if one row is wrong.
    """

    def __init__(self, message: str, *, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(BadScores, row=self.row), self.args


class CheckFailed(MetricError, AssertionError):
    """A metric violates a clause of the contract; the message states the clause, the expectation and the result."""


class FittedOnEvaluation(MetricError):
    """A metric would score rows that it learned from.

    `rows` are their numbers in the batch, if known: the runtime scores the others then, and these count as missing.
    """

    def __init__(self, message: str, *, rows: Iterable[int] = ()) -> None:
        super().__init__(message)
        self.rows = tuple(rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(FittedOnEvaluation, rows=self.rows), self.args
