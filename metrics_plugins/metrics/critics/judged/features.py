"""The features of `critic-judgments`: inexpensive measures of agreement of a caption with its references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, BuildContext, Metric
from metrics_plugins.api.parameters import name_weights
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.critics.judged.settings import CriticJudgmentsSettings
from metrics_plugins.metrics.critics.reference.metric import CriticReference
from metrics_plugins.metrics.embedding.blocks import measure_in_blocks
from metrics_plugins.metrics.embedding.cosines import (
    average_references,
    average_rows,
    derive_reference_cosines,
    derive_sentence_vectors,
    find_best_reference,
    measure_cosines,
)
from metrics_plugins.metrics.embedding.greedy_matching import derive_matches
from metrics_plugins.metrics.meteor.meteor import Meteor
from metrics_plugins.metrics.ngram.bleu import Bleu1
from metrics_plugins.metrics.ngram.rouge_l import RougeL

Values = npt.NDArray[np.float64]
_WORDS: Final = (Bleu1, RougeL, Meteor)


@dataclass(frozen=True, kw_only=True)
class FeatureReader:
    """Computes the features of rows.

    Attributes:
        settings: Which features to compute.
        critic: Provides its parts, and the encoder for the other features of sentences and tokens.
        words: The word metrics, in the order of their features; empty if not requested.
    """

    settings: CriticJudgmentsSettings
    critic: CriticReference
    words: tuple[Metric, ...]

    @classmethod
    def build(cls, context: BuildContext, settings: CriticJudgmentsSettings) -> Self:
        """Return the reader.

        Raises:
            MissingResource: The weights of the encoder, or WordNet, are missing.
        """
        words = tuple(each.build(context) for each in _WORDS) if "words" in settings.groups else ()
        return cls(settings=settings, critic=CriticReference.build(context), words=words)

    @property
    def encoder(self) -> TokenEncoder:
        return self.critic.encoder

    def describe(self) -> dict[str, SignatureValue]:
        """Return the fields of the signature on which the features depend besides the settings."""
        described: dict[str, SignatureValue] = {}
        if set(self.settings.groups) - {"words"}:
            described["encoder"] = name_weights(self.encoder)
        if "critic" in self.settings.groups:
            described["head"] = self.critic.head.digest
        return described | {each.info.id: each.info.version for each in self.words}

    def measure(self, batch: Batch) -> Values:
        """Return `(n_rows, n_features)`, in the order of `settings.names`; all NaN for a row without references.

        Raises:
            FittedOnEvaluation: The head of `critic-reference` was trained on the references of a row.
        """
        return measure_in_blocks(batch, self._measure_block)

    def _measure_block(self, batch: Batch) -> Values:
        measure_group: Mapping[str, Callable[[Batch], Values]] = {
            "critic": self.critic.measure,
            "sentences": self._measure_sentences,
            "tokens": self._measure_tokens,
            "words": self._measure_words,
        }
        found = np.concatenate([measure_group[group](batch) for group in self.settings.groups], axis=1)
        found[batch.reference_rows.lengths == 0] = np.nan
        return found

    def _measure_sentences(self, batch: Batch) -> Values:
        """Return mean and maximal cosine to the references, and the mean cosine between references."""
        references = batch.reference_rows
        cosines = derive_reference_cosines(batch, self.encoder)
        averaged = average_references(cosines, references), find_best_reference(cosines, references)
        return np.column_stack([*averaged, self._compare_references(batch)])

    def _compare_references(self, batch: Batch) -> Values:
        # An image has several judged captions, whose references need to be compared only once.
        groups = batch.reference_rows.group_rows()
        pairs = [(first, second, place) for place, own in enumerate(groups) for first, second in combinations(own, 2)]
        left, right, places = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        vectors = derive_sentence_vectors(batch, self.encoder)
        alike = average_rows(measure_cosines(vectors, left, vectors, right), places, n_rows=len(groups))
        found = np.empty(len(batch))
        for mean, rows in zip(alike, groups.values(), strict=True):
            found[rows] = mean
        return found

    def _measure_tokens(self, batch: Batch) -> Values:
        matches = derive_matches(batch, self.encoder)
        references = batch.reference_rows
        return np.column_stack([average_references(each, references) for each in (matches.precision, matches.recall)])

    def _measure_words(self, batch: Batch) -> Values:
        """Return the scores of the word metrics, and the log ratio of the lengths of candidate and references."""
        scores = [metric.score(batch.restrict(metric.info)).values for metric in self.words]
        lengths = batch.derive_texts("numbers of words", _count_words)
        beside = average_references(lengths[batch.reference_rows.values], batch.reference_rows)
        return np.column_stack([*scores, np.log((1 + lengths[batch.candidate_rows]) / (1 + beside))])


def _count_words(texts: Sequence[str]) -> Values:
    return np.array([len(text.split()) for text in texts], dtype=np.float64)
