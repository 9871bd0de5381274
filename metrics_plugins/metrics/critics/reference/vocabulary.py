"""What captions tell about tokens without judgments: how rare each is, and the support that a true one can expect."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.scores import Values

Float32s = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]

# The expected support of a token is its mean support, with this number of occurrences of the mean over all tokens.
_SHRINKAGE: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The tokens of training captions.

    Attributes:
        ids: `(n_known,)`: the tokens in ascending order; the last entry of the others is that of unknown tokens.
        expected: `(n_known + 1,)`: the support of a token of a caption by the other captions of its image.
        rarity: `(n_known + 1,)`: inverse document frequency, from 0 (in every caption) to 1 (in none).
    """

    ids: Int64
    expected: Float32s
    rarity: Float32s

    def look_up(self, ids: Int64) -> tuple[Values, Values]:
        """Return `(n_tokens,)` the expected support and `(n_tokens,)` the rarity of tokens."""
        places = np.minimum(np.searchsorted(self.ids, ids), max(len(self.ids) - 1, 0))
        known = self.ids[places] == ids if len(self.ids) else np.zeros(len(ids), dtype=np.bool_)
        entries = np.where(known, places, len(self.ids))
        return self.expected[entries].astype(np.float64), self.rarity[entries].astype(np.float64)


def learn_vocabulary(captions: Ragged, ids: Int64, support: Values) -> Vocabulary:
    """Return the vocabulary of training captions.

    Args:
        captions: The token ids of each caption.
        ids: `(n_tokens,)`: tokens of some of these captions.
        support: `(n_tokens,)`: the support of each by the other captions of its image.
    """
    entries = np.unique(np.column_stack([captions.row_of_value, captions.values]), axis=0)
    known, n_with = np.unique(entries[:, 1], return_counts=True)
    rarity = np.log((len(captions) + 1) / (np.append(n_with, 0) + 1)) / np.log(len(captions) + 1)
    mean = support.mean() if len(support) else 0.0
    places = np.searchsorted(known, ids)
    sums = np.bincount(places, weights=support, minlength=len(known) + 1)
    counts = np.bincount(places, minlength=len(known) + 1)
    expected = (sums + _SHRINKAGE * mean) / (counts + _SHRINKAGE)
    return Vocabulary(known, expected.astype(np.float32), rarity.astype(np.float32))
