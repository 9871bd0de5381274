"""What the metrics of moved words have in common: a tokeniser, word vectors and stop words."""

from dataclasses import dataclass
from typing import Self

from metrics_plugins.api import Batch, BuildContext, Metric
from metrics_plugins.api.paths import EncoderName
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.word_movers.bags import StopWords, WordBags, derive_bags
from metrics_plugins.metrics.word_movers.moving import require_solver


@dataclass(frozen=True, kw_only=True)
class WordMoving(Metric):
    """A metric over the words that a text has left without stop words and words that have no vector."""

    tokenizer: Tokenizer
    vectors: Encoder
    stop_words: StopWords

    @classmethod
    def build(
        cls,
        context: BuildContext,
        *,
        vectors: EncoderName = "glove",
        stop_words: StopWords = "english",
        tokenizer: str = "ptb",
    ) -> Self:
        """Return the metric over these word vectors: an encoder's name, or a file (`.txt`, `.vec`, `.npz`).

        Raises:
            MissingResource: POT or the vectors are not installed.
            MetricError: The file breaks a rule.
        """
        require_solver(cls.info.id)
        return cls(
            tokenizer=context.get_tokenizer(tokenizer), vectors=context.get_encoder(vectors), stop_words=stop_words
        )

    def describe(self) -> dict[str, SignatureValue]:
        return {
            "vectors": f"{self.vectors.name}+{self.vectors.digest}",
            "stop_words": self.stop_words,
            "tok": self.tokenizer.name,
        }

    def derive_bags(self, batch: Batch) -> WordBags:
        """Return the words of a batch's captions that are left."""
        return derive_bags(batch, self.tokenizer, stop_words=self.stop_words, vectors=self.vectors)
