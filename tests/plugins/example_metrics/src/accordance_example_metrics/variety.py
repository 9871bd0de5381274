"""A set-level metric."""

from typing import ClassVar

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores


class SetVariety(Metric):
    """The share of different words among all words of a caption set; NaN without words."""

    info: ClassVar[MetricInfo] = MetricInfo(
        id="set-variety",
        title="Set variety",
        level=Level.SET,
        inputs=frozenset({Input.CAPTION_SET}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="An example",
    )

    def score(self, batch: Batch) -> Scores:
        """Return the share for each caption set."""
        words = [" ".join(captions).lower().split() for captions in batch.caption_sets]
        return Scores.make(batch.keys, [len(set(row)) / len(row) if row else float("nan") for row in words])
