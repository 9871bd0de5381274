"""Word Mover's Distance of a candidate to its nearest reference."""

import numpy as np

from metrics_plugins.api import Batch, Input, Level, MetricInfo, Scores
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.word_movers.bags import WordBags
from metrics_plugins.metrics.word_movers.cards import WMD
from metrics_plugins.metrics.word_movers.moving import SOLVER, measure_euclidean, solve_transport
from metrics_plugins.metrics.word_movers.vectors import GLOVE
from metrics_plugins.metrics.word_movers.word_moving import WordMoving
from metrics_plugins.text.tokens import Int64


class Wmd(WordMoving):
    """The Word Mover's Distance of the candidate to its nearest reference (Kusner et al., eq. 1), at least 0.

    A text is represented by the relative frequencies of its words, without stop words and words without vectors; the
    distance of two words is the Euclidean distance of their vectors. The score is the minimum over the references; it
    is 0 for the same words in any order. References without remaining words are ignored; a candidate without remaining
    words, or a row without such references, has no score (NaN).
    """

    info = MetricInfo(
        id="wmd",
        title="WMD",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        version="1",
        citation="Kusner et al. (2015), From word embeddings to document distances",
        resources=(SOLVER, GLOVE),
        card=WMD,
    )

    def score(self, batch: Batch) -> Scores:
        bags = self.derive_bags(batch)
        references = batch.reference_rows
        rows = references.row_of_value
        pairs = np.column_stack([batch.candidate_rows[rows], references.values])
        distinct, places = np.unique(pairs, axis=0, return_inverse=True)
        distances = measure_pairs(bags, distinct)[places]
        values = np.full(len(batch), np.nan)
        np.fmin.at(values, rows, distances)
        return Scores(keys=batch.keys, values=values)


def measure_pairs(bags: WordBags, pairs: Int64) -> Values:
    """Return `(n_pairs,)`: the distance of each pair of captions `(n_pairs, 2)`, NaN if one has no words."""
    distances = np.full(len(pairs), np.nan)
    for place, (first, second) in enumerate(pairs.tolist()):
        left, right = bags.get(first), bags.get(second)
        if len(left.ids) and len(right.ids):
            costs = measure_euclidean(bags.vectors[left.ids], bags.vectors[right.ids])
            distances[place] = solve_transport(left.shares, right.shares, costs=costs)
    return distances
