"""The base class of the metrics with Word Mover's Distance: its tokeniser, word vectors and stop words."""

from dataclasses import dataclass

from metrics_plugins.api import Batch, Metric, parameter
from metrics_plugins.api.parameters import Building, encoder_parameter, tokenizer_parameter
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.metrics.word_movers.bags import StopWords, WordBags, derive_bags
from metrics_plugins.metrics.word_movers.moving import require_solver


def _get_vectors(building: Building, name: str) -> Encoder:
    # Check this before large files are read.
    require_solver(building.metric)
    return building.context.get_encoder(name)


@dataclass(frozen=True, kw_only=True)
class WordMoving(Metric):
    """A metric of the words of a text, without stop words and words without vectors.

    Attributes:
        vectors: An encoder of words, given by its name or by a file (`.txt`, `.vec`, `.npz`).
        stop_words: The words left out.
        tokenizer: Splits texts into words.
    """

    vectors: Encoder = encoder_parameter("glove", make=_get_vectors)
    stop_words: StopWords = parameter("english")
    tokenizer: Tokenizer = tokenizer_parameter()

    def derive_bags(self, batch: Batch) -> WordBags:
        """Return the remaining words of a batch's captions."""
        return derive_bags(batch, self.tokenizer, stop_words=self.stop_words, vectors=self.vectors)
