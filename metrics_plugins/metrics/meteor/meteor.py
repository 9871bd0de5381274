"""METEOR 1.5, which aligns words of candidate and reference by their form, stem, synonyms and paraphrases."""

from dataclasses import dataclass

import numpy as np

from metrics_plugins.api import Batch, DecomposableMetric, Input, Level, MetricInfo
from metrics_plugins.api.parameters import Building, made_parameter, tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.meteor.captions import CaptionTable, read_captions
from metrics_plugins.metrics.meteor.card import METEOR
from metrics_plugins.metrics.meteor.counting import (
    N_STATISTICS,
    MeteorWeights,
    clear_perfect_chunks,
    count_pairs,
    score_statistics,
)
from metrics_plugins.metrics.meteor.lexicon import load_lexicon
from metrics_plugins.metrics.meteor.relations import RelationTable, relate_spans
from metrics_plugins.metrics.meteor.sources import METEOR_DATA
from metrics_plugins.text.tokens import derive_tokens, name_tokenizer


def _check_share(building: Building, value: float) -> float:
    if not 0 <= value <= 1:
        raise ValueError(f"{building.name} of metric 'meteor' must be within 0 and 1, got {value}")
    return value


def _check_power(building: Building, value: float) -> float:
    if not 0 <= value < float("inf"):
        raise ValueError(f"{building.name} of metric 'meteor' must be 0 or more, got {value}")
    return value


@dataclass(frozen=True, kw_only=True)
class Meteor(DecomposableMetric):
    """Weighted F-measure of aligned words with a penalty for fragmented alignments (Denkowski and Lavie, 2014).

    The scores are those of the program METEOR 1.5 with the options `-l en -norm`, as the COCO caption evaluation calls
    it, including its beam search and its quirks: a single word that matches by stem, synonym or paraphrase adds nothing
    to the weight of an alignment, so if there is a choice, the match is used only where it breaks no chunk.

    The best of several references counts, the first one of equally good ones; its statistics enter the score of the
    system. A row without references has no score (NaN) and does not count for its system; a candidate or reference
    without words scores 0. Synonyms, function words and paraphrases are read from an installed pycocoevalcap and
    indexed once (`lexicon.load_lexicon`).

    Attributes:
        tokenizer: The first tokeniser; METEOR's own then splits some of its tokens further.
        alpha: The weight of recall against precision; the defaults of all weights are those of the task `rank`.
        beta: The exponent of fragmentation.
        gamma: The largest penalty for fragmentation.
        delta: The weight of a content word; a function word has the weight 1 - delta.
        exact: The weight of equal words.
        stem: The weight of words with equal stems.
        synonym: The weight of words that share a synset.
        paraphrase: The weight of phrases from the table of paraphrases.

    Raises:
        MissingResource: While scoring, if pycocoevalcap is not installed.
    """

    info = MetricInfo(
        id="meteor",
        title="METEOR",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation=(
            "Denkowski and Lavie (2014), Meteor Universal: language specific translation evaluation for any target "
            "language"
        ),
        resources=(METEOR_DATA,),
        card=METEOR,
    )
    n_statistics = N_STATISTICS

    tokenizer: Tokenizer = tokenizer_parameter()
    alpha: float = made_parameter(0.85, make=_check_share)
    beta: float = made_parameter(0.2, make=_check_power)
    gamma: float = made_parameter(0.6, make=_check_share)
    delta: float = made_parameter(0.75, make=_check_share)
    exact: float = made_parameter(1.0, make=_check_share)
    stem: float = made_parameter(0.6, make=_check_share)
    synonym: float = made_parameter(0.8, make=_check_share)
    paraphrase: float = made_parameter(0.6, make=_check_share)

    @property
    def weights(self) -> MeteorWeights:
        """The parameters of the formula."""
        stages = (self.exact, self.stem, self.synonym, self.paraphrase)
        return MeteorWeights(self.alpha, self.beta, self.gamma, self.delta, stages=stages)

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, 23)`: the counts for the best reference (`counting.count_pairs`).

        Chunks are 0 where all words match in one chunk. A row without references has NaN.
        """
        captions, relations = self._read(batch)
        references = batch.reference_rows
        texts = np.stack([batch.candidate_rows[references.row_of_value], references.values])
        pairs, pair_of_value = np.unique(texts, axis=1, return_inverse=True)
        counts = clear_perfect_chunks(count_pairs(captions, relations, pairs[0], pairs[1], weights=self.weights))
        scores = self.reduce(counts)[pair_of_value]
        # The best reference of each row first; of equal ones the first.
        order = np.lexsort((-scores, references.row_of_value))
        best = np.full((len(batch), N_STATISTICS), np.nan)
        has_references = references.lengths > 0
        best[has_references] = counts[pair_of_value[order[references.offsets[:-1][has_references]]]]
        return best

    def _read(self, batch: Batch) -> tuple[CaptionTable, RelationTable]:
        lexicon = load_lexicon()
        name = name_tokenizer(self.tokenizer)
        tokens = derive_tokens(batch, self.tokenizer)
        captions = batch.derive_texts(("meteor captions", name), lambda _: read_captions(tokens, lexicon))
        return captions, batch.derive_texts(("meteor relations", name), lambda _: relate_spans(captions, lexicon))

    def reduce(self, totals: Values) -> Values:
        """Return the score of each set of totals; within [0, 1]."""
        return score_statistics(totals, self.weights)

    def keep_counted(self, statistics: Values) -> Values:
        """Return the statistics of the rows that have a score."""
        return statistics[~np.isnan(statistics[:, 0])]
