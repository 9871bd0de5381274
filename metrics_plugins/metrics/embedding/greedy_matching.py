"""Greedy matching of tokens, each with the most similar token of the other text (BERTScore, Zhang et al. 2020)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.embedding.blocks import cut_into_blocks

Floats = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The agreement of the tokens of candidate and reference, for each reference in the order of rows.

    Attributes:
        precision: `(n_references,)`: the weighted mean, over the candidate's tokens, of the largest cosine.
        recall: `(n_references,)`: the same for the reference's tokens.
    """

    precision: Values
    recall: Values

    @property
    def f1(self) -> Values:
        """`(n_references,)`: the harmonic mean, within [0, 1]; 0 if precision or recall is not positive."""
        total = self.precision + self.recall
        product = 2 * self.precision * self.recall
        is_defined = (self.precision > 0) & (self.recall > 0)
        f1: Values = np.divide(product, total, out=np.zeros(len(total)), where=is_defined)
        return np.minimum(f1, 1.0)


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """The weights of the tokens of a vocabulary.

    Attributes:
        weights: `(n_known,)`: the weights by token number.
        unknown: The weight of other tokens.
    """

    weights: Values
    unknown: float

    def weigh(self, ids: Int64) -> Values:
        """Return `(n_tokens,)`: the weights of these tokens."""
        found: Values = np.where(
            ids < len(self.weights), self.weights[np.minimum(ids, len(self.weights) - 1)], self.unknown
        )
        return found


def derive_matches(batch: Batch, encoder: TokenEncoder, *, weights: TokenWeights | None = None) -> Matches:
    """Match every candidate with each of its references; special tokens are matched, but have weight 0.

    Precision and recall are 0 if a text has only special tokens.

    Args:
        batch: The candidates and references.
        encoder: The encoder of tokens.
        weights: The weights of tokens; None for equal weights.
    """
    if weights is not None:
        return _match(batch, encoder, weights)
    return batch.derive(("matches", encoder.name, encoder.digest), lambda view: _match(view, encoder, None))


def _match(batch: Batch, encoder: TokenEncoder, weights: TokenWeights | None) -> Matches:
    references = batch.reference_rows
    pairs = np.column_stack([batch.candidate_rows[references.row_of_value], references.values])
    places = Ragged(offsets=references.offsets, values=np.arange(len(pairs)))
    texts = batch.derive_texts("texts", tuple)
    found = np.empty((len(pairs), 2))
    # The token vectors of all texts together would not fit into memory.
    for rows in cut_into_blocks(batch):
        chosen = places.take(rows).values
        if not len(chosen):
            continue
        distinct, inverse = np.unique(pairs[chosen], axis=0, return_inverse=True)
        numbers, local = np.unique(distinct, return_inverse=True)
        tokens = encoder.encode_tokens([texts[number] for number in numbers])
        found[chosen] = _match_pairs(tokens, local.reshape(-1, 2), weights)[inverse]
    return Matches(precision=found[:, 0], recall=found[:, 1])


def _match_pairs(tokens: TokenVectors, pairs: Int64, weights: TokenWeights | None) -> Values:
    lengths = np.sqrt((tokens.vectors**2).sum(axis=1, keepdims=True))
    unit = tokens.vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    counts = np.where(tokens.is_special, 0.0, 1.0 if weights is None else weights.weigh(tokens.ids))
    spans = [slice(start, stop) for start, stop in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)]
    found = np.zeros((len(pairs), 2))
    for place, (first, second) in enumerate(pairs.tolist()):
        left, right = spans[first], spans[second]
        if tokens.is_special[left].all() or tokens.is_special[right].all():
            continue
        # The shape of this product, and so its rounding, depends only on the two texts.
        cosines = unit[left] @ unit[right].T
        found[place] = _average(cosines.max(axis=1), counts[left]), _average(cosines.max(axis=0), counts[right])
    return found


def _average(best: Floats, counts: Values) -> float:
    total = counts.sum()
    return float((best * counts).sum() / total) if total > 0 else 0.0


def learn_idf(tokens: Ragged) -> TokenWeights:
    """Return ln((n + 1) / (n_with + 1)) for each token, where `n_with` of `n` texts contain it."""
    n_texts = len(tokens)
    entries = np.unique(np.column_stack([tokens.row_of_value, tokens.values]), axis=0)
    n_with = np.bincount(entries[:, 1], minlength=1)
    return TokenWeights(weights=np.log((n_texts + 1) / (n_with + 1)), unknown=float(np.log(n_texts + 1)))
