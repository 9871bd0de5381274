"""The number of words of a candidate, a baseline that any metric should beat."""

from dataclasses import dataclass

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.ngram.cards import LENGTH
from metrics_plugins.text.tokens import derive_tokens


@dataclass(frozen=True, kw_only=True)
class Length(Metric):
    """The number of tokens of the candidate, from 0; longer candidates count as better."""

    info = MetricInfo(
        id="length",
        title="Length",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True,
        bounds=(0.0, float("inf")),
        version="1",
        citation="Hessel et al. (2021), CLIPScore: a reference-free evaluation metric for image captioning, Table 4",
        card=LENGTH,
    )

    tokenizer: Tokenizer = tokenizer_parameter()

    def score(self, batch: Batch) -> Scores:
        tokens = derive_tokens(batch, self.tokenizer)
        is_token = np.array([token != "" for token in tokens.words], dtype=np.bool_)
        lengths = np.bincount(tokens.text_of_token, weights=is_token[tokens.ids], minlength=len(tokens.lengths))
        return Scores.make(batch.keys, lengths[batch.candidate_rows])
