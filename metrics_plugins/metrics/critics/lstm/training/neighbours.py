"""Nearest neighbours of images, by the similarity of their captions."""

from typing import TYPE_CHECKING

import numpy as np

from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.text.tokens import Int64

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_ROWS_PER_BLOCK = 256


class Neighbours:
    """For each image, the others sorted by the cosine of tf-idf word weights, with ties in order of position.

    The paper uses image features; captions are used here because they are always available.
    """

    def __init__(self, captions: TrainingCaptions) -> None:
        self._weights = _weigh(captions)

    def draw(self, images: Int64, *, share: float, rng: np.random.Generator) -> Int64:
        """Return for each image another one, drawn uniformly from the nearest share (at least one) of all others."""
        n_images = self._weights.shape[0]
        n_nearest = max(1, round(share * (n_images - 1)))
        ranks = rng.integers(n_nearest, size=len(images))
        drawn = np.empty(len(images), dtype=np.int64)
        for start in range(0, len(images), _ROWS_PER_BLOCK):
            rows = images[start : start + _ROWS_PER_BLOCK]
            likeness = (self._weights[rows] @ self._weights.T).toarray()
            likeness[np.arange(len(rows)), rows] = -np.inf
            order = np.argsort(-likeness, axis=1, kind="stable")
            drawn[start : start + len(rows)] = order[np.arange(len(rows)), ranks[start : start + len(rows)]]
        return drawn


def _weigh(captions: TrainingCaptions) -> "csr_array":
    from scipy.sparse import csr_array

    number_of: dict[str, int] = {}
    rows, columns = [], []
    for row, lines in enumerate(captions.humans):
        for word in (word for line in lines for word in line.split()):
            rows.append(row)
            columns.append(number_of.setdefault(word, len(number_of)))
    shape = (len(captions), max(len(number_of), 1))
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    counts.sum_duplicates()
    documents = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log(shape[0] / np.maximum(documents, 1))[counts.indices]
    row_of = np.repeat(np.arange(shape[0]), np.diff(counts.indptr))
    norms = np.sqrt(np.bincount(row_of, weights=counts.data**2, minlength=shape[0]))
    counts.data /= np.where(norms > 0, norms, 1)[row_of]
    return counts
