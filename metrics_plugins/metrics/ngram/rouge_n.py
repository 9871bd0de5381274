"""ROUGE-1 and ROUGE-2, the recall of the references' n-grams in the candidate."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.ngram.cards import describe_rouge_n
from metrics_plugins.metrics.ngram.matching import derive_matches
from metrics_plugins.text.tokens import derive_words

_CITATION: Final = "Lin (2004), ROUGE: a package for automatic evaluation of summaries"


@dataclass(frozen=True, kw_only=True)
class _RougeN(Metric):
    """Recall of n-grams over all references together (Lin 2004, equation 1), within [0, 1].

    The number of n-grams that each reference shares with the candidate (the smaller of the two counts of each n-gram),
    summed over references and divided by the number of n-grams in all references. A row whose references have no such
    n-gram scores 0; a row without references has no score (NaN).
    """

    order: ClassVar[int]
    tokenizer: Tokenizer = tokenizer_parameter()

    def __init_subclass__(cls, *, order: int | None = None, **options: object) -> None:
        super().__init_subclass__(**options)
        if order is not None:
            cls.order = order
            cls.info = _declare(order)

    def score(self, batch: Batch) -> Scores:
        references = batch.reference_rows
        rows = references.row_of_value
        matches = derive_matches(batch, self.tokenizer, order=self.order)[-1]
        shared = np.minimum(matches.candidate_counts, matches.reference_counts)
        n_shared = np.bincount(rows[matches.slots], weights=shared, minlength=len(batch))
        n_words = derive_words(batch, self.tokenizer).lengths[references.values]
        n_ngrams = np.bincount(rows, weights=np.maximum(n_words - self.order + 1, 0), minlength=len(batch))
        values = np.zeros(len(batch))
        np.divide(n_shared, n_ngrams, out=values, where=n_ngrams > 0)
        values[references.lengths == 0] = np.nan
        return Scores(keys=batch.keys, values=values)


def _declare(order: int) -> MetricInfo:
    return MetricInfo(
        id=f"rouge-{order}",
        title=f"ROUGE-{order}",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation=_CITATION,
        card=describe_rouge_n(order),
    )


class Rouge1(_RougeN, order=1):
    """Recall of words."""


class Rouge2(_RougeN, order=2):
    """Recall of bigrams."""
