"""An adapter for plain functions of a candidate and its references."""

from collections.abc import Callable
from typing import Unpack

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import Declaration, declare, list_keywords, name_callable
from metrics_plugins.api import Batch, Metric, Scores
from metrics_plugins.api.errors import BadScores, PluginError
from metrics_plugins.api.sources import locate_object


def adapt_function(
    function: Callable[..., float],
    *,
    reads_references: bool = True,
    **declaration: Unpack[Declaration],
) -> type[Metric]:
    """Return a segment-level metric whose score of a row is `function(candidate, references)`.

    Keyword-only arguments of the function become parameters of the metric; each needs a type and a default. The
    function is not called for a row without references, which has no score (NaN).

    Args:
        function: Takes the candidate and a tuple of its references; returns NaN if the score is undefined. It must be
            defined at the top level of a module, so that the metric can be pickled.
        reads_references: If false, the metric declares no references, and the function gets ().
        declaration: The fields of `Declaration`.

    Raises:
        ValueError: A field of the declaration is invalid.
        PluginError: The function is a lambda, has other arguments (also with defaults) that are not keyword-only, or a
            keyword-only one lacks a type or default.
    """
    if getattr(function, "__name__", "") == "<lambda>":
        raise PluginError(
            f"adapt_function needs a function defined by `def` at the top level of a module, got a lambda: "
            f"{locate_object(function)}"
        )
    info = declare(reads_references=reads_references, **declaration)
    return make_class(Adaptation(FunctionMetric, source=function, info=info, parameters=list_keywords(function)))


class FunctionMetric(AdaptedMetric):
    """Calls the function once for each row."""

    def score(self, batch: Batch) -> Scores:
        function = self.adaptation.source
        rows = list_rows(batch, self.info)
        values = [float("nan") if row is None else function(*row, **self.params) for row in rows]
        try:
            return Scores.make(batch.keys, values)
        except BadScores as error:
            place = locate_object(function) or name_callable(function)
            raise BadScores(f"{error}\n  at {place}", row=error.row) from error
