"""What the metrics of moved words have in common: a tokeniser, word vectors and stop words."""

from dataclasses import dataclass

from metrics_plugins.api import Batch, Metric, parameter
from metrics_plugins.api.parameters import Building, encoder_parameter, tokenizer_parameter
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.metrics.word_movers.bags import StopWords, WordBags, derive_bags
from metrics_plugins.metrics.word_movers.moving import require_solver


def _get_vectors(building: Building, name: str) -> Encoder:
    # Before large files are read.
    require_solver(building.metric)
    return building.context.get_encoder(name)


@dataclass(frozen=True, kw_only=True)
class WordMoving(Metric):
    """A metric over the words that a text has left without stop words and words that have no vector.

    Attributes:
        vectors: An encoder of words by its name, or by a file (`.txt`, `.vec`, `.npz`).
        stop_words: Which words are left out.
        tokenizer: Gives the words.
    """

    vectors: Encoder = encoder_parameter("glove", make=_get_vectors)
    stop_words: StopWords = parameter("english")
    tokenizer: Tokenizer = tokenizer_parameter()

    def derive_bags(self, batch: Batch) -> WordBags:
        """Return the words of a batch's captions that are left."""
        return derive_bags(batch, self.tokenizer, stop_words=self.stop_words, vectors=self.vectors)
