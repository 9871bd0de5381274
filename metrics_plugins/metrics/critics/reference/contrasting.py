"""Contrastive learning of a token space that separates captions of an image from those of near images or altered ones.

A linear map is trained with InfoNCE (van den Oord et al. 2018) over late interaction: captions are compared by the best
cosines of their tokens, as in scoring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.api.progress import Track
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings
from metrics_plugins.metrics.critics.reference.spaces import Float32s, Int64, Space

if TYPE_CHECKING:
    from torch import Tensor

_LONGEST = 24
_TEMPERATURE = 12.0
_TEMPERATURE_RATE = 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class TokenMaterial:
    """The training data of a token space.

    Attributes:
        captions: For each image its captions, each `(n_tokens, dimension)`: its tokens, normalised to length 1.
        altered: The same captions made wrong, or None.
        near: `(n_images, neighbours)`: the nearest other images of each.
    """

    captions: Sequence[Sequence[Float32s]]
    altered: Sequence[Sequence[Float32s]] | None
    near: Int64


def contrast(
    material: TokenMaterial,
    space: Space,
    settings: CriticReferenceSettings,
    *,
    rng: np.random.Generator,
    device: str,
    track: Track,
) -> Space:
    """Return the space after `settings.steps` steps.

    Raises:
        MetricError: A loss is not finite.
    """
    import torch

    center = torch.tensor(space.center, device=device)
    start = torch.tensor(space.directions, device=device)
    directions = start.clone().requires_grad_()
    heat = torch.tensor(float(np.log(_TEMPERATURE)), device=device, requires_grad=True)
    groups = [{"params": [directions], "lr": settings.rate}, {"params": [heat], "lr": _TEMPERATURE_RATE}]
    optimizer = torch.optim.Adam(groups)

    def look(texts: Sequence[Float32s]) -> "tuple[Tensor, Tensor]":
        vectors, there = _pad(texts)
        turned = (torch.tensor(vectors, device=device) - center) @ directions
        return torch.nn.functional.normalize(turned, dim=-1), torch.tensor(there, device=device)

    for step in track(range(settings.steps), total=settings.steps, label="tokens"):
        drawn = _draw(material, settings, rng)
        likeness = _compare(*look(drawn.candidates), *look(drawn.references)) * heat.exp()
        right = torch.arange(len(drawn.references), device=device)
        # References are contrasted with all captions, including altered ones; captions with all references.
        loss = torch.nn.functional.cross_entropy(likeness.T, right)
        loss = (loss + torch.nn.functional.cross_entropy(likeness[: len(right)], right)) / 2
        if not bool(torch.isfinite(loss)):
            raise MetricError(f"metric 'critic-reference': the loss of step {step} is not a number; try a lower rate")
        optimizer.zero_grad()
        held = loss + settings.hold * ((directions - start) ** 2).sum()
        torch.autograd.backward(held)
        optimizer.step()
    return Space(center=space.center, directions=directions.detach().cpu().numpy())


@dataclass(frozen=True, slots=True)
class _Drawn:
    candidates: list[Float32s]
    references: list[Float32s]


def _draw(material: TokenMaterial, settings: CriticReferenceSettings, rng: np.random.Generator) -> _Drawn:
    """Return captions of random images and of images near them, each with another caption of its image."""
    n_images = len(material.captions)
    seeds = rng.choice(n_images, size=min(settings.seeds, n_images), replace=False)
    images: dict[int, None] = {}
    for seed in seeds.tolist():
        places = rng.choice(material.near.shape[1], size=min(settings.near, material.near.shape[1]), replace=False)
        images.update(dict.fromkeys([seed, *material.near[seed][places].tolist()]))
    chosen = {image: rng.choice(len(material.captions[image]), size=2, replace=False).tolist() for image in images}
    candidates = [material.captions[image][pair[0]] for image, pair in chosen.items()]
    if material.altered is not None:
        candidates += [material.altered[image][pair[0]] for image, pair in chosen.items()]
    return _Drawn(candidates, [material.captions[image][pair[1]] for image, pair in chosen.items()])


def _pad(texts: Sequence[Float32s]) -> tuple[Float32s, np.ndarray]:
    """Return `(n_texts, longest, dimension)` and the mask of its tokens; long texts are truncated."""
    longest = min(max(len(text) for text in texts), _LONGEST)
    vectors = np.zeros((len(texts), longest, texts[0].shape[1]), dtype=np.float32)
    there = np.zeros((len(texts), longest), dtype=np.bool_)
    for row, text in enumerate(texts):
        kept = text[:longest]
        vectors[row, : len(kept)] = kept
        there[row, : len(kept)] = True
    return vectors, there


def _compare(left: "Tensor", left_there: "Tensor", right: "Tensor", right_there: "Tensor") -> "Tensor":
    """Return `(n_left, n_right)`: the mean of token precision and recall of each pair."""
    import torch

    cosines = torch.einsum("ied,jfd->ijef", left, right)
    absent = ~(left_there[:, None, :, None] & right_there[None, :, None, :])
    cosines = cosines.masked_fill(absent, -1.0)
    precision = (cosines.amax(3) * left_there[:, None]).sum(2) / left_there.sum(1)[:, None]
    recall = (cosines.amax(2) * right_there[None]).sum(2) / right_there.sum(1)[None]
    return (precision + recall) / 2
