"""Token precision and recall of a caption against its references."""

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.critics.reference.ceilings import ENOUGH, cap_values
from metrics_plugins.metrics.embedding.cosines import average_references

Floats = npt.NDArray[np.float32]


def measure_words(batch: Batch, encoder: TokenEncoder) -> Values:
    """Return `(n_rows, 2)`, precision and recall of each row; NaN for a row without references.

    precision: mean, over the candidate's tokens, of the cosine to the nearest token of all references. recall: mean,
    over references, of the mean over their tokens of the cosine to the nearest token of the candidate. Both are 0 for a
    text without tokens. With enough references that have tokens (`ceilings.ENOUGH`), precision is at most the largest
    precision of one of them relative to the others, and the recall of each reference is at most the largest recall of
    it by another one.

    Args:
        batch: The candidates and references; the tokens of all texts are in memory at once.
        encoder: Provides the tokens, without special ones.
    """
    references = batch.reference_rows
    tokens = _split(encoder.encode_tokens(batch.derive_texts("texts", tuple)))
    precision, most_precise = np.full((2, len(batch)), np.nan)
    recall, most_recalled = np.zeros((2, len(references.values)))
    for texts, rows in references.group_rows().items():
        if not texts:
            continue
        beside = [tokens[text] for text in texts]
        ceilings = _find_ceilings(beside)
        for row in rows:
            own = slice(references.offsets[row], references.offsets[row + 1])
            precision[row], recall[own] = _match(tokens[batch.candidate_rows[row]], beside)
            most_precise[row], most_recalled[own] = ceilings
    recall = average_references(cap_values(recall, most_recalled), references)
    return np.column_stack([cap_values(precision, most_precise), recall])


def _find_ceilings(references: list[Floats]) -> tuple[float, Values]:
    """Return the largest precision of a reference relative to the others, and the largest recall of each by another.

    The recall is `(n_references,)`. Both are NaN if too few references have tokens.
    """
    precision, recall = np.nan, np.full(len(references), np.nan)
    if sum(len(reference) > 0 for reference in references) < ENOUGH:
        return precision, recall
    for place, reference in enumerate(references):
        others = np.delete(np.arange(len(references)), place)
        own, found = _match(reference, [references[other] for other in others])
        precision = float(np.fmax(precision, own))
        recall[others] = np.fmax(recall[others], found)
    return precision, recall


def _split(tokens: TokenVectors) -> list[Floats]:
    """Return the tokens of each text, normalised to length 1."""
    lengths = np.sqrt((tokens.vectors**2).sum(axis=1, keepdims=True))
    unit = tokens.vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return np.split(unit, tokens.offsets[1:-1].tolist())


def _match(candidate: Floats, references: list[Floats]) -> tuple[float, Values]:
    """Return the precision of a candidate, and `(n_references,)` the recall of each reference."""
    recall = np.zeros(len(references))
    nearest = []
    for place, reference in enumerate(references):
        if len(candidate) and len(reference):
            # The shape of this product, and so its rounding, depends only on the two texts.
            cosines = candidate @ reference.T
            nearest.append(cosines.max(axis=1))
            recall[place] = cosines.max(axis=0).mean(dtype=np.float64)
    return (float(np.max(nearest, axis=0).mean(dtype=np.float64)) if nearest else 0.0), recall
