"""A plugin with a metric that has the id of a bundled one."""

from typing import ClassVar

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores, hookimpl


class OtherBleu(Metric):
    """Gives every candidate a 0."""

    info: ClassVar[MetricInfo] = MetricInfo(
        id="bleu-1",
        title="Another BLEU-1",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="An example",
    )

    def score(self, batch: Batch) -> Scores:
        """Return 0 for each candidate."""
        return Scores.make(batch.keys, [0.0] * len(batch))


@hookimpl
def register_metrics() -> tuple[type, ...]:
    """Offer the metric."""
    return (OtherBleu,)
