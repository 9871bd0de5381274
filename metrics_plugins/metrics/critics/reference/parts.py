"""The parts of the score of `critic-reference`, for every row of a batch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.metrics.critics.reference.ceilings import cap_values, find_nearest_others
from metrics_plugins.metrics.critics.reference.spaces import Float32s, Space
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary
from metrics_plugins.metrics.critics.reference.words import measure_words
from metrics_plugins.metrics.embedding.blocks import measure_in_blocks
from metrics_plugins.metrics.embedding.cosines import (
    average_references,
    derive_reference_cosines,
    derive_sentence_vectors,
    find_best_reference,
    measure_cosines,
)

Values = npt.NDArray[np.float64]


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
        return self.project(self.encoder.encode(inputs))

    def project(self, vectors: Float32s) -> Float32s:
        """Return `(n_texts, dimension)`: sentence vectors of the encoder in the space of sentences."""
        return self.sentences.project(vectors)

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        """Return the projected tokens of every text; a text may have none."""
        found = self.encoder.encode_tokens(texts)
        kept = ~found.is_special
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[found.offsets]
        return TokenVectors(
            vectors=self.tokens.project(found.vectors[kept]),
            offsets=offsets,
            ids=found.ids[kept],
            is_special=found.is_special[kept],
        )


def measure_parts(batch: Batch, encoder: SpacedEncoder, vocabulary: Vocabulary) -> Values:
    """Return `(n_rows, 7)`, the `PARTS` of each row; NaN for a row without references.

    cosine: the score of `sentence-cosine`, from the encoder's own vectors. best: the largest cosine of the sentence to
    a reference, in the space of sentences; with enough references, it is at most the largest cosine of two of them
    (`ceilings`). The others are those of tokens (`measure_words`). A text without tokens still has a sentence vector.
    """
    return measure_in_blocks(batch, lambda block: _measure_block(block, encoder, vocabulary))


def _measure_block(batch: Batch, encoder: SpacedEncoder, vocabulary: Vocabulary) -> Values:
    # Tokens first, since encoding them also provides the sentence vectors.
    words = measure_words(batch, encoder, vocabulary)
    references = batch.reference_rows
    plain = derive_sentence_vectors(batch, encoder.encoder)
    vectors = batch.derive_texts(("sentence vectors", encoder.name, encoder.digest), lambda _: encoder.project(plain))
    cosines = measure_cosines(vectors, batch.candidate_rows[references.row_of_value], vectors, references.values)
    most = find_nearest_others(vectors, references)
    return np.column_stack(
        [
            average_references(derive_reference_cosines(batch, encoder.encoder), references),
            cap_values(find_best_reference(cosines, references), find_best_reference(most, references)),
            words,
        ]
    )
