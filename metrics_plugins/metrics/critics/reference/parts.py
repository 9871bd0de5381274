"""The parts of the score of `critic-reference`, for every row of a batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.columns import Ragged
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.metrics.critics.reference.ceilings import cap_values, find_nearest_others
from metrics_plugins.metrics.critics.reference.spaces import Float32s, Space
from metrics_plugins.metrics.critics.reference.words import measure_words
from metrics_plugins.metrics.embedding.blocks import measure_in_blocks
from metrics_plugins.metrics.embedding.cosines import average_references, find_best_reference, measure_cosines

Values = npt.NDArray[np.float64]

PARTS: Final = ("precision", "recall", "mean", "best")


@dataclass(frozen=True, slots=True, eq=False)
class SpacedEncoder:
    """An encoder with its vectors projected to learned spaces, without special tokens.

    Attributes:
        encoder: Provides the vectors.
        sentences: The space of sentences.
        tokens: The space of tokens.
        digest: A hash of the encoder and both spaces.
    """

    encoder: TokenEncoder
    sentences: Space
    tokens: Space
    digest: str

    @property
    def name(self) -> str:
        return self.encoder.name

    @property
    def dimension(self) -> int:
        return self.encoder.dimension

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        return self.encoder.tokenize(texts)

    def encode(self, inputs: Sequence[object]) -> Float32s:
        """Return `(n_texts, dimension)`: the projected sentence vectors."""
        vectors = self.encoder.encode(inputs)
        # One at a time, because the rounding of a matrix product depends on its shape.
        rows = [self.sentences.project(vectors[row : row + 1]) for row in range(len(vectors))]
        return np.concatenate([np.empty((0, self.dimension), np.float32), *rows])

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        """Return the projected tokens of every text; a text may have none."""
        found = self.encoder.encode_tokens(texts)
        kept = ~found.is_special
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[found.offsets]
        vectors = found.vectors[kept]
        spans = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        rows = [self.tokens.project(vectors[start:stop]) for start, stop in spans]
        return TokenVectors(
            vectors=np.concatenate([np.empty((0, self.dimension), np.float32), *rows]),
            offsets=offsets,
            ids=found.ids[kept],
            is_special=found.is_special[kept],
        )


def measure_parts(batch: Batch, encoder: SpacedEncoder) -> Values:
    """Return `(n_rows, 4)`, the `PARTS` of each row; NaN for a row without references.

    precision and recall: those of tokens (`measure_words`). mean: the mean cosine of the sentence to the references.
    best: the largest of these cosines. A text without tokens still has a sentence vector. With enough references, all
    parts are limited by the agreement of references with each other (`ceilings`): for the mean, the cosine to a
    reference is at most that of the reference to the nearest other one; the best cosine is at most the largest cosine
    of two references.
    """
    return measure_in_blocks(batch, lambda block: _measure_block(block, encoder))


def _measure_block(batch: Batch, encoder: SpacedEncoder) -> Values:
    # Tokens first, since encoding them also provides the sentence vectors.
    words = measure_words(batch, encoder)
    vectors = batch.derive_texts(("sentence vectors", encoder.name, encoder.digest), encoder.encode)
    references = batch.reference_rows
    candidates = batch.candidate_rows[references.row_of_value]
    cosines = measure_cosines(vectors, candidates, vectors, references.values)
    most = find_nearest_others(vectors, references)
    return np.column_stack(
        [
            words,
            average_references(cap_values(cosines, most), references),
            cap_values(find_best_reference(cosines, references), find_best_reference(most, references)),
        ]
    )
