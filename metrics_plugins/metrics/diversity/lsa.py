"""LSA diversity: based on the singular values of a set's table of word counts."""

from dataclasses import dataclass

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.diversity.caption_sets import CaptionSets, derive_caption_sets, group_rows
from metrics_plugins.metrics.diversity.cards import LSA
from metrics_plugins.metrics.diversity.set_terms import SetTerms, collect_terms
from metrics_plugins.metrics.diversity.spectrum import measure_spread
from metrics_plugins.text.ngrams import number_ngrams
from metrics_plugins.text.tokens import Int64, derive_tokens


@dataclass(frozen=True, kw_only=True)
class Lsa(Metric):
    """Diversity of a caption set by latent semantic analysis (Wang et al. 2020, section 3.2), within [0, 1].

    The score is -log_m(s_1 / sum of s), where s are the singular values of the table of raw word counts with one column
    for each of the m captions. As in the authors' code, s are used without a square root, and tokens are split only at
    spaces: a caption without tokens is one empty token. A set of fewer than two captions has no score (NaN). The order
    of the captions and other sets never affect the score.
    """

    info = MetricInfo(
        id="lsa",
        title="LSA",
        level=Level.SET,
        inputs=frozenset({Input.CAPTION_SET}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="Wang et al. (2020), On diversity in image captioning: metrics and methods",
        card=LSA,
    )

    tokenizer: Tokenizer = tokenizer_parameter()

    def score(self, batch: Batch) -> Scores:
        tokens = derive_tokens(batch, self.tokenizer)
        caption_sets = derive_caption_sets(batch)
        terms = collect_terms(caption_sets, tokens, number_ngrams(tokens, shorter=None, order=1))
        n_terms = np.bincount(terms.sets, minlength=len(batch))
        values = np.full(len(batch), np.nan)
        for (m, _), rows in group_rows(caption_sets.sizes, n_terms):
            if m >= 2:
                tables = _tabulate(terms, caption_sets, n_terms, rows=rows)
                values[rows] = measure_spread(np.linalg.svdvals(tables).astype(np.float64), m=m)
        return Scores(keys=batch.keys, values=values)


def _tabulate(terms: SetTerms, caption_sets: CaptionSets, n_terms: Int64, *, rows: Int64) -> Values:
    """Return `(n_rows, n_words, m)`: word counts by caption, for sets with equal numbers of words and captions."""
    # Not padded to a common shape, since rounding would then depend on the words of other sets.
    tables = np.zeros((len(rows), int(n_terms[rows[0]]), int(caption_sets.sizes[rows[0]])))
    chosen = terms.group_entries(caption_sets).take(rows)
    words = terms.terms[chosen.values] - (np.cumsum(n_terms) - n_terms)[rows][chosen.row_of_value]
    captions = terms.slots[chosen.values] - caption_sets.rows.offsets[rows][chosen.row_of_value]
    tables[chosen.row_of_value, words, captions] = terms.counts[chosen.values]
    return tables
