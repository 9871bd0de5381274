import numpy as np
import pytest

from metrics_plugins.api import FitsOn, Fittable, Metric, Scores
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.fitting import fit_all
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.probes.captions import Words, describe

CORPUS = Corpus(digest="0123456789ab", captions={"1": ("a dog", "the dog"), "2": ("a cat",)})
RARITY = describe("rarity", fits_on=FitsOn.CAPTIONS)


class FittedRarity(Metric):
    info = RARITY

    def __init__(self, known):
        self.known = known

    def score(self, batch):
        return Scores.make(batch.keys, [sum(word not in self.known for word in c.split()) for c in batch.candidates])


class Rarity(Fittable):
    """The number of a candidate's words that no caption of the corpus has."""

    info = RARITY

    def fit(self, batch, targets, rng):
        return FittedRarity({word for caption in batch.candidates for word in caption.split()})


def test_a_metric_of_captions_learns_the_corpus_and_its_signature_names_it():
    words, cider = Words(), load_registry().build("cider")

    fitted = fit_all([words, Rarity(), cider], CORPUS, rng=np.random.default_rng(0))

    assert fitted.metrics[0] is words
    assert fitted.metrics[1].known == {"a", "dog", "the", "cat"}
    assert fitted.metrics[2] is cider
    assert fitted.sign("rarity", "rarity|v:1") == "rarity|corpus:0123456789ab|v:1"
    assert fitted.sign("words", "words|v:1") == "words|v:1"


def test_without_a_corpus_only_metrics_of_captions_are_refused():
    assert fit_all([Words()], None, rng=np.random.default_rng(0)).signatures == {}
    with pytest.raises(ProbeError, match="metric 'rarity' learns from a corpus of captions: pass --corpus FILE"):
        fit_all([Rarity()], None, rng=np.random.default_rng(0))
