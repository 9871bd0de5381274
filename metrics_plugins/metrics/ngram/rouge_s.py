"""ROUGE-S, the F-measure of skip bigrams: pairs of words in their order that need not be adjacent."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import parameter, tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.ngram.cards import ROUGE_S
from metrics_plugins.metrics.ngram.rouge_l import BETA, measure_f, take_largest
from metrics_plugins.text.sorting import mark_changes
from metrics_plugins.text.tokens import Int64, TokenTable, derive_words, name_tokenizer

_ROWS_PER_BLOCK: Final = 8192


@dataclass(frozen=True, slots=True, eq=False)
class SkipBigrams:
    """The skip bigrams of every distinct caption: pairs of words in their order, at most some distance apart.

    Attributes:
        offsets: `(n_texts + 1,)`: the skip bigrams of caption t are `ids[offsets[t]:offsets[t + 1]]`.
        ids: `(n_entries,)`: identifiers of pairs of words, ascending and unique within a caption.
        counts: `(n_entries,)`: the count of the pair in the caption.
    """

    offsets: Int64
    ids: Int64
    counts: Int64

    @property
    def totals(self) -> Int64:
        """`(n_texts,)`: the number of skip bigrams of each caption."""
        return np.diff(np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.counts)])[self.offsets])


@dataclass(frozen=True, kw_only=True)
class RougeS(Metric):
    """F-measure of skip bigrams with beta = 1.2 (Lin 2004, equations 16 to 18), within [0, 1].

    A skip bigram is a pair of words in their order, the second at most `distance` words after the first. As for ROUGE-L
    in the COCO caption evaluation, precision and recall are each the largest over the references. A caption of fewer
    than two words has no skip bigrams: the score is 0. A row without references has no score (NaN).
    """

    info = MetricInfo(
        id="rouge-s",
        title="ROUGE-S",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="Lin (2004), ROUGE: a package for automatic evaluation of summaries",
        card=ROUGE_S,
    )

    distance: int = parameter(4, rule="at least 1", holds=lambda value: value >= 1)
    tokenizer: Tokenizer = tokenizer_parameter()

    def describe(self) -> dict[str, SignatureValue]:
        return {**super().describe(), "beta": BETA}

    def score(self, batch: Batch) -> Scores:
        words = derive_words(batch, self.tokenizer)
        name = ("skip bigrams", name_tokenizer(self.tokenizer), self.distance)
        bigrams = batch.derive_texts(name, lambda _: count_skip_bigrams(words, distance=self.distance))
        references = batch.reference_rows
        rows = references.row_of_value
        candidates = batch.candidate_rows[rows]
        shared = _count_shared(bigrams, candidates, references.values)
        totals = np.maximum(bigrams.totals, 1)
        precision = take_largest(shared / totals[candidates], rows, n_rows=len(batch))
        recall = take_largest(shared / totals[references.values], rows, n_rows=len(batch))
        values = measure_f(precision, recall)
        values[references.lengths == 0] = np.nan
        return Scores(keys=batch.keys, values=values)


def count_skip_bigrams(words: TokenTable, *, distance: int) -> SkipBigrams:
    """Count the pairs of words of each caption that are at most `distance` words apart."""
    texts = words.text_of_token
    n_words = max(len(words.words), 1)
    owners, keys = [], []
    for gap in range(1, distance + 1):
        firsts = np.flatnonzero(texts[:-gap] == texts[gap:])
        owners.append(texts[firsts])
        keys.append(words.ids[firsts].astype(np.int64) * n_words + words.ids[firsts + gap])
    owner, key = np.concatenate(owners), np.concatenate(keys)
    in_order = np.lexsort((key, owner))
    owner, key = owner[in_order], key[in_order]
    starts = np.flatnonzero(mark_changes(owner) | mark_changes(key))
    return SkipBigrams(
        offsets=np.searchsorted(owner[starts], np.arange(len(words.lengths) + 1)),
        ids=key[starts],
        counts=np.diff(starts, append=len(key)),
    )


def _count_shared(bigrams: SkipBigrams, firsts: Int64, seconds: Int64) -> Values:
    """Return `(n_pairs,)`: the number of skip bigrams shared by each pair of captions (the smaller count of each)."""
    shared = np.zeros(len(firsts))
    for start in range(0, len(firsts), _ROWS_PER_BLOCK):
        chosen = slice(start, start + _ROWS_PER_BLOCK)
        places = [_expand(bigrams.offsets, texts[chosen]) for texts in (firsts, seconds)]
        ids = np.unique(np.concatenate([bigrams.ids[place] for _, place in places]))
        own, other = (pairs * max(len(ids), 1) + np.searchsorted(ids, bigrams.ids[place]) for pairs, place in places)
        common, left, right = np.intersect1d(own, other, assume_unique=True, return_indices=True)
        counts = np.minimum(bigrams.counts[places[0][1][left]], bigrams.counts[places[1][1][right]])
        pairs = common // max(len(ids), 1)
        shared[chosen] = np.bincount(pairs, weights=counts, minlength=len(firsts[chosen]))
    return shared


def _expand(offsets: Int64, texts: Int64) -> tuple[Int64, Int64]:
    """Return the caption, as a position in `texts`, and the position of each entry of these captions."""
    lengths = offsets[texts + 1] - offsets[texts]
    ends = np.cumsum(lengths)
    pairs = np.repeat(np.arange(len(texts)), lengths)
    return pairs, np.arange(len(pairs)) - np.repeat(ends - lengths, lengths) + offsets[texts][pairs]
