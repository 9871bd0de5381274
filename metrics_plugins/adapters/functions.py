"""A metric out of a plain function of a candidate and its references."""

from collections.abc import Callable

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import declare, list_keywords
from metrics_plugins.api import Batch, Metric, Scores


def adapt_function(
    function: Callable[..., float],
    *,
    id: str,  # noqa: A002  (the name that MetricInfo has for it)
    title: str,
    bounds: tuple[float, float],
    higher_is_better: bool,
    citation: str,
    version: str,
    reads_references: bool = True,
) -> type[Metric]:
    """Return a segment-level metric whose score of a row is `function(candidate, references)`.

    Keyword-only arguments of the function become parameters of the metric; each needs a type and a default. A row
    without references has no score (NaN) and the function is not asked.

    Args:
        function: Takes the candidate and a tuple of its references; NaN says that it is undefined there. It must
            stand at the top of a module, so that the metric can go to another process.
        id: As all that follows: what `MetricInfo` says of it.
        title: The name as papers print it.
        bounds: Lowest and highest possible score.
        higher_is_better: Whether a larger score means a better caption.
        citation: Where the metric is defined.
        version: Changes whenever a score may change.
        reads_references: If false, the metric declares no references and the function gets ().

    Raises:
        ValueError: A field of the declaration breaks its rule.
        PluginError: The function takes other arguments, or a keyword-only one without type or default.
    """
    info = declare(
        id=id,
        title=title,
        bounds=bounds,
        higher_is_better=higher_is_better,
        citation=citation,
        version=version,
        reads_references=reads_references,
    )
    return make_class(Adaptation(FunctionMetric, source=function, info=info, parameters=list_keywords(function)))


class FunctionMetric(AdaptedMetric):
    """Asks the function once for each row."""

    def score(self, batch: Batch) -> Scores:
        function = self.adaptation.source
        rows = list_rows(batch, self.info)
        return Scores.make(batch.keys, [float("nan") if row is None else function(*row, **self.params) for row in rows])
