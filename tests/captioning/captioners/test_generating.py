import numpy as np
import pytest
import torch

from captioning.captioners.generating import add_synonyms, generate_diverse_captions
from captioning.captioners.neural import CvaeCaptioner
from captioning.decoding.generators.catalogue import GENERATORS
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.decoding.generators.word_vectors import WordVectorSettings
from captioning.runtime.registry import CaptionerContext
from tests.captioning.training.samples import SMALL, make_data

torch.set_num_threads(1)

DATA, VALIDATION = make_data(40), make_data(3, seed=1)


def draw(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def captioner(tmp_path_factory):
    return CvaeCaptioner.train(
        DATA,
        VALIDATION,
        folder=tmp_path_factory.mktemp("cvae"),
        rng=draw(),
        context=CaptionerContext("cpu"),
        settings={**SMALL, "steps": 20, "validate_every": 20},
    )


def test_all_generators_caption_with_a_trained_captioner(captioner):
    images = VALIDATION.images
    settings = add_synonyms(
        GeneratorSettings(n=4, max_words=8), captioner, DATA, vectors=WordVectorSettings(epochs=1), rng=draw()
    )
    words = set(captioner.trained.vocabulary.words)
    needs_pixels = images.pixels is None
    for name in GENERATORS:
        if name == "rci" and needs_pixels:
            continue
        found = generate_diverse_captions(captioner, images, name=name, settings=settings, rng=draw())
        assert found.keys == images.keys
        assert found.log_probabilities.shape == (3, 4)
        assert np.isfinite(found.log_probabilities).all()
        assert [len(row) for row in found.captions] == [4, 4, 4]
        assert {word for row in found.captions for line in row for word in line.split()} <= words
        again = generate_diverse_captions(captioner, images, name=name, settings=settings, rng=draw())
        assert again.captions == found.captions


def test_samples_have_the_probabilities_that_the_captioner_gives_them(captioner):
    found = generate_diverse_captions(captioner, VALIDATION.images, name="rs", rng=draw())
    assert all(len(row) == 10 for row in found.captions)
    first = captioner.score(VALIDATION.images, [row[0] for row in found.captions])
    np.testing.assert_allclose(first.log_probabilities, found.log_probabilities[:, 0], atol=1e-5)


def test_no_images_give_no_captions(captioner):
    found = generate_diverse_captions(captioner, VALIDATION.images.select([]), name="rs", rng=draw())
    assert found.captions == ()
    assert found.log_probabilities.shape == (0, 10)
