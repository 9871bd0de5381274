"""Support of a caption's tokens by its references, and recall of the references' tokens.

Cosines are exact multiples of 2^-40, because tokens are rounded to integers (`round_tokens`). Their sums in a matrix
product are therefore the same for every shape of the matrices, and a row's numbers are independent of other rows.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.critics.reference.ceilings import ENOUGH, cap_values
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary
from metrics_plugins.metrics.embedding.cosines import average_references

Int64 = npt.NDArray[np.int64]

# Squares of 2^20 and the sums of 384 of them are below 2^53, so that products are exact in float64.
_SCALE: Final = 2.0**20


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of texts.

    Attributes:
        vectors: `(n_tokens, dimension)`: vectors of length 2^20, rounded to integers.
        ids: `(n_tokens,)`: their ids.
        lengths: `(n_texts,)`: the number of tokens of each text, which may be 0.
    """

    vectors: npt.NDArray[np.float32]
    ids: Int64
    lengths: Int64

    @property
    def starts(self) -> Int64:
        """The first token of each text."""
        return np.cumsum(self.lengths) - self.lengths

    def take(self, texts: Int64) -> "Tokens":
        """Return the tokens of some texts, in their order."""
        lengths = self.lengths[texts]
        begins = np.repeat(self.starts[texts] - (np.cumsum(lengths) - lengths), lengths)
        rows = begins + np.arange(len(begins))
        return Tokens(self.vectors[rows], self.ids[rows], lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The matches of captions with the references of an image; a text without tokens neither supports nor covers.

    Attributes:
        support: `(n_tokens, n_references)`: the largest cosine of each token of the captions to a token of each
            reference; -1 for a reference without tokens.
        recall: `(n_captions, n_references)`: the mean over the tokens of each reference of the largest cosine to a
            token of each caption; 0 if one of them has none.
    """

    support: Values
    recall: Values


def measure_words(batch: Batch, encoder: TokenEncoder, vocabulary: Vocabulary) -> Values:
    """Return `(n_rows, 5)`: precision, recall, support, content and rare precision; NaN for a row without references.

    The support of a token of the candidate is the cosine to the nearest token of all references. precision: mean
    support of the candidate's tokens. recall: mean, over references, of the mean over their tokens of the cosine to the
    nearest token of the candidate. support: sum, over the candidate's tokens, of their support less the expected
    support. content: sum of the rarity of the candidate's tokens. rare precision: mean support weighted by rarity. All
    are 0 for a candidate without tokens. With enough references that have tokens (`ceilings.ENOUGH`), precision is at
    most the largest precision of one of them relative to the others, and the recall of each reference is at most the
    largest recall of it by another one.

    Args:
        batch: The candidates and references; the tokens of all texts are in memory at once.
        encoder: Provides the tokens, without special ones.
        vocabulary: Provides expected support and rarity.
    """
    references = batch.reference_rows
    tokens = round_tokens(encoder.encode_tokens(batch.derive_texts("texts", tuple)))
    found = np.full((len(batch), 5), np.nan)
    recalls = np.zeros(len(references.values))
    for texts, group in references.group_rows().items():
        if not texts:
            continue
        rows = np.array(group, dtype=np.int64)
        captions, place = np.unique(batch.candidate_rows[rows], return_inverse=True)
        beside, own = tokens.take(np.array(texts, dtype=np.int64)), tokens.take(captions)
        matches = match_texts(own, beside)
        most_precise, most_recalled = _find_ceilings(beside)
        measured = _summarise(matches.support.max(axis=1), own, vocabulary)
        measured[:, 0] = cap_values(measured[:, 0], np.full(len(captions), most_precise))
        found[rows] = measured[place]
        capped = cap_values(matches.recall, most_recalled)[place]
        for row, recall in zip(group, capped, strict=True):
            recalls[references.offsets[row] : references.offsets[row + 1]] = recall
    found[:, 1] = average_references(recalls, references)
    return found


def _summarise(support: Values, captions: Tokens, vocabulary: Vocabulary) -> Values:
    """Return `(n_captions, 5)`: the numbers of `measure_words` without ceilings; that of recall is left 0."""
    lengths = captions.lengths
    expected, rarity = vocabulary.look_up(captions.ids)
    total, excess, content, rare = (
        sum_by_text(values, lengths) for values in (support, support - expected, rarity, rarity * support)
    )
    return np.column_stack([_divide(total, lengths), np.zeros(len(lengths)), excess, content, _divide(rare, content)])


def match_texts(captions: Tokens, references: Tokens) -> Matches:
    """Match every caption with every reference."""
    support = np.full((len(captions.ids), len(references.lengths)), -1.0)
    recall = np.zeros((len(captions.lengths), len(references.lengths)))
    named, beside = captions.lengths > 0, references.lengths > 0
    if named.any() and beside.any():
        cosines = captions.vectors.astype(np.float64) @ references.vectors.astype(np.float64).T / _SCALE**2
        support[:, beside] = np.maximum.reduceat(cosines, references.starts[beside], axis=1)
        covered = np.maximum.reduceat(cosines, captions.starts[named], axis=0)
        sums = np.add.reduceat(covered, references.starts[beside], axis=1)
        recall[np.ix_(named, beside)] = sums / references.lengths[beside]
    else:
        support[:] = 0.0
    return Matches(support, recall)


def support_each_other(texts: Tokens) -> tuple[Values, Values]:
    """Return `(n_tokens,)` the support of the tokens of each text by the other texts, and `(n_texts, n_texts)` recall.

    The recall is that of the second text by the first; -1 for a text by itself.
    """
    matches = match_texts(texts, texts)
    text_of_token = np.repeat(np.arange(len(texts.lengths)), texts.lengths)
    support, recall = matches.support.copy(), matches.recall.copy()
    support[np.arange(len(support)), text_of_token] = -1.0
    np.fill_diagonal(recall, -1.0)
    return support.max(axis=1, initial=-1.0), recall


def _find_ceilings(references: Tokens) -> tuple[float, Values]:
    """Return the largest precision of a reference relative to the others, and the largest recall of each by another.

    The recall is `(n_references,)`. Both are NaN if too few references have tokens.
    """
    if (references.lengths > 0).sum() < ENOUGH:
        return np.nan, np.full(len(references.lengths), np.nan)
    support, recall = support_each_other(references)
    precision = _divide(sum_by_text(support, references.lengths), references.lengths)
    return float(precision.max()), recall.max(axis=0)


def round_tokens(tokens: TokenVectors) -> Tokens:
    """Return the tokens of texts, normalised to length 1 and rounded."""
    lengths = np.sqrt((tokens.vectors**2).sum(axis=1, keepdims=True))
    unit = tokens.vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return Tokens(np.rint(unit * np.float32(_SCALE)), tokens.ids, np.diff(tokens.offsets))


def sum_by_text(values: Values, lengths: Int64) -> Values:
    """Return `(n_texts,)`: the sum of the values of each text's tokens; 0 for a text without tokens."""
    sums = np.zeros(len(lengths))
    starts = np.cumsum(lengths) - lengths
    if len(values):
        sums[lengths > 0] = np.add.reduceat(values, starts[lengths > 0])
    return sums


def _divide(sums: Values, counts: Values | Int64) -> Values:
    found: Values = np.divide(sums, counts, out=np.zeros(len(sums)), where=counts > 0)
    return found
