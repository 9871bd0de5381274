"""Networks by the name of their architecture."""

from collections.abc import Callable
from functools import partial
from typing import Final

import torch

from captioning.networks.attention import AdaptiveDecoder, Att2inDecoder
from captioning.networks.cgan import Evaluator, make_evaluator
from captioning.networks.cvae import CvaeDecoder, GmmCvaeDecoder
from captioning.networks.decoders import FcDecoder, LstmDecoder
from captioning.networks.encoders import PassedRegions, SmallCnn
from captioning.networks.network import CaptionNetwork, WordDecoder
from captioning.networks.noise import NoiseDecoder
from captioning.networks.settings import Architecture, NetworkSettings
from captioning.networks.weights import draw_weights

Maker = Callable[[NetworkSettings, int], WordDecoder]

ATTENDING: Final[frozenset[Architecture]] = frozenset({"att2in", "adaptive"})
"""Architectures that attend to the cells of a CNN; the others read a single region."""


def build_network(
    settings: NetworkSettings,
    *,
    n_words: int,
    shape: tuple[int, int] | None = None,
    dimension: int | None = None,
    generator: torch.Generator,
) -> CaptionNetwork:
    """Return a network with new weights, on the CPU.

    Args:
        settings: The architecture and its sizes.
        n_words: The size of the vocabulary with its special tokens.
        shape: Height and width of images that are given as pixels.
        dimension: The length of the regions of images that are given as features; either this or `shape`.
        generator: The source of the weights.

    Raises:
        ValueError: Not exactly one of `shape` and `dimension` is given.
    """
    encoder = _build_encoder(settings, shape=shape, dimension=dimension)
    network = CaptionNetwork(encoder, DECODERS[settings.architecture](settings, n_words))
    draw_weights(network, generator)
    return network


def build_evaluator(
    settings: NetworkSettings,
    *,
    n_words: int,
    shape: tuple[int, int] | None = None,
    dimension: int | None = None,
    generator: torch.Generator,
) -> Evaluator:
    """Return an evaluator of the same sizes with new weights, on the CPU; arguments as for `build_network`."""
    return make_evaluator(
        _build_encoder(settings, shape=shape, dimension=dimension),
        **_sizes(settings, n_words),
        generator=generator,
    )


def _build_encoder(
    settings: NetworkSettings, *, shape: tuple[int, int] | None, dimension: int | None
) -> SmallCnn | PassedRegions:
    if (shape is None) == (dimension is None):
        raise ValueError(f"either `shape` or `dimension` must be given, got {shape!r} and {dimension!r}")
    if shape is not None:
        as_grid = settings.architecture in ATTENDING
        return SmallCnn(shape, settings.hidden, channels=settings.channels, as_grid=as_grid)
    assert dimension is not None  # noqa: S101  # checked above
    return PassedRegions(dimension, settings.hidden)


def _sizes(settings: NetworkSettings, n_words: int) -> dict[str, int]:
    return {"n_words": n_words, "embedding": settings.embedding, "hidden": settings.hidden}


def _make_lstm(settings: NetworkSettings, n_words: int, *, image_at_every_step: bool) -> WordDecoder:
    return LstmDecoder(**_sizes(settings, n_words), dropout=settings.dropout, image_at_every_step=image_at_every_step)


def _make_cvae(settings: NetworkSettings, n_words: int, *, components: int | None = None) -> WordDecoder:
    make = CvaeDecoder if components is None else partial(GmmCvaeDecoder, components=components)
    return make(
        **_sizes(settings, n_words),
        noise=settings.noise,
        dropout=settings.dropout,
        divergence_weight=settings.divergence_weight,
    )


DECODERS: Final[dict[Architecture, Maker]] = {
    "show-and-tell": lambda settings, n: _make_lstm(settings, n, image_at_every_step=False),
    "lrcn-1u": lambda settings, n: _make_lstm(settings, n, image_at_every_step=True),
    "fc": lambda settings, n: FcDecoder(**_sizes(settings, n), dropout=settings.dropout),
    "att2in": lambda settings, n: Att2inDecoder(**_sizes(settings, n), dropout=settings.dropout),
    "adaptive": lambda settings, n: AdaptiveDecoder(**_sizes(settings, n), dropout=settings.dropout),
    "cvae": lambda settings, n: _make_cvae(settings, n),
    "gmm-cvae": lambda settings, n: _make_cvae(settings, n, components=settings.components),
    "cgan": lambda settings, n: NoiseDecoder(**_sizes(settings, n), dropout=settings.dropout, noise=settings.noise),
}
