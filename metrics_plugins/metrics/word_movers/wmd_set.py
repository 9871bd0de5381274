"""Word Mover's Distance of a caption set to its references, converted to a score."""

import math

from metrics_plugins.api import Batch, Input, Level, MetricInfo, Scores
from metrics_plugins.metrics.word_movers.bags import WordBags
from metrics_plugins.metrics.word_movers.cards import WMD_SET
from metrics_plugins.metrics.word_movers.moving import SOLVER, measure_cosine, solve_transport
from metrics_plugins.metrics.word_movers.vectors import GLOVE
from metrics_plugins.metrics.word_movers.word_moving import WordMoving
from metrics_plugins.text.tokens import Int64


class WmdSet(WordMoving):
    """exp(-d), where d is the Word Mover's Distance of a caption set to its references, within [0, 1].

    The words of all captions of the set are counted together, and so are those of all references, without stop words
    and words without vectors; the distance of two words is 1 - cosine of their vectors. A set without remaining words
    has an infinite distance and scores 0. If the references have no remaining words, or the set has no captions, there
    is no score (NaN).
    """

    info = MetricInfo(
        id="wmd-set",
        title="WMD of a set",
        level=Level.SET,
        inputs=frozenset({Input.CAPTION_SET, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="Wang et al. (2020), On diversity in image captioning: metrics and methods",
        resources=(SOLVER, GLOVE),
        card=WMD_SET,
    )

    def score(self, batch: Batch) -> Scores:
        bags = self.derive_bags(batch)
        rows = zip(batch.caption_set_rows, batch.reference_rows, strict=True)
        return Scores.make(batch.keys, [_score_set(bags, captions, references) for captions, references in rows])


def _score_set(bags: WordBags, captions: Int64, references: Int64) -> float:
    own, wanted = bags.pool(captions), bags.pool(references)
    if not len(captions) or not len(wanted.ids):
        return math.nan
    if not len(own.ids):
        return 0.0
    costs = measure_cosine(bags.vectors[own.ids], bags.vectors[wanted.ids])
    return math.exp(-solve_transport(own.shares, wanted.shares, costs=costs))
