"""Small networks and their inputs."""

from typing import get_args

import numpy as np
import torch

from captioning.api import Regions
from captioning.networks.building import DECODERS, build_network
from captioning.networks.network import CaptionNetwork, EncodedRegions
from captioning.networks.settings import Architecture, NetworkSettings
from captioning.networks.tensors import move_regions
from metrics_plugins.text.vocabulary import END, START

torch.set_num_threads(1)

ARCHITECTURES = tuple(name for name in get_args(Architecture) if name in DECODERS)
N_WORDS = 11
DIMENSION = 6


def make_network(architecture: Architecture, *, seed: int = 0, scale: float = 1.0, **changes: object) -> CaptionNetwork:
    """Return a small network; with a larger scale, its probabilities are farther from uniform."""
    settings = NetworkSettings.of(
        {"architecture": architecture, "hidden": 8, "embedding": 5, "noise": 3, "components": 4, **changes}
    )
    generator = torch.Generator().manual_seed(seed)
    network = build_network(settings, n_words=N_WORDS, dimension=DIMENSION, generator=generator)
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(scale)
    return network


def make_regions(n: int = 3, *, seed: int = 0) -> EncodedRegions:
    """Return regions of images, of which each has another number."""
    rng = np.random.default_rng(seed)
    counts = 1 + np.arange(n) % 4
    values = rng.normal(size=(n, 4, DIMENSION)).astype(np.float32)
    values[np.arange(4) >= counts[:, None]] = 0
    return move_regions(Regions(values, counts), "cpu")


def make_words(n: int = 3, *, steps: int = 6, seed: int = 0) -> torch.Tensor:
    """Return the inputs of a decoder: `<sos>`, then words."""
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(END + 1, N_WORDS, (n, steps), generator=generator)
    words[:, 0] = START
    return words
