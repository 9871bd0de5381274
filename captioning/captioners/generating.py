"""Diverse captions of trained captioners by the generators of Wang, Wan and Chan (2022)."""

from dataclasses import replace

import numpy as np
import torch

from captioning.api import CaptionBatch, CaptionedImages, Images
from captioning.captioners.neural import NeuralCaptioner
from captioning.decoding.generators.catalogue import GeneratorName, generate_captions
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.decoding.generators.synonyms import Synonyms
from captioning.decoding.generators.word_vectors import WordVectorSettings, train_word_vectors
from captioning.networks.tensors import move_images
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.encoders.full_precision import hold_full_precision

_CAPTIONS_PER_BATCH = 640


def generate_diverse_captions(
    captioner: NeuralCaptioner,
    images: Images,
    *,
    name: GeneratorName,
    settings: GeneratorSettings | None = None,
    rng: np.random.Generator,
) -> CaptionBatch:
    """Return `settings.n` captions of each image.

    Args:
        captioner: A trained captioner.
        images: With the column that it reads.
        name: The generator.
        settings: By default those of the paper, with the maximum number of words of the captioner's training.
        rng: The only source of randomness.

    Raises:
        CaptionerError: As for `generate_captions`.
        MissingInput: The images lack the column.
    """
    chosen = settings or GeneratorSettings(max_words=captioner.trained.settings.max_words)
    generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
    rows = max(_CAPTIONS_PER_BATCH // chosen.n, 1)
    captions: list[tuple[str, ...]] = []
    scores: list[np.ndarray] = [np.zeros((0, chosen.n))]
    for start in range(0, len(images), rows):
        part = images.select(range(start, min(start + rows, len(images))))
        with hold_full_precision(captioner.device):
            moved = move_images(part, inputs=captioner.inputs, device=captioner.device)
            decoded = generate_captions(name, captioner.network, moved, settings=chosen, generator=generator)
        captions += decoded.write(captioner.trained.vocabulary)
        scores.append(decoded.log_probabilities.numpy())
    return CaptionBatch(images.keys, tuple(captions), np.concatenate(scores))


def add_synonyms(
    settings: GeneratorSettings,
    captioner: NeuralCaptioner,
    data: CaptionedImages,
    *,
    vectors: WordVectorSettings | None = None,
    rng: np.random.Generator,
    track: Track = pass_on,
) -> GeneratorSettings:
    """Return the settings with synonyms for the captioner's vocabulary, from word vectors of training captions.

    Args:
        settings: Of generators.
        captioner: Gives the vocabulary.
        data: The captions on which word vectors are trained.
        vectors: The settings of that training.
        rng: The only source of randomness.
        track: Displays progress.
    """
    trained = train_word_vectors(
        [line for lines in data.captions for line in lines],
        vocabulary=captioner.trained.vocabulary,
        settings=vectors,
        generator=torch.Generator().manual_seed(int(rng.integers(2**63))),
        track=track,
    )
    return replace(settings, synonyms=Synonyms.find(trained))
