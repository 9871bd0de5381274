"""The rendering of worlds, with the same bytes as in the original generator."""

import io
import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.geometry import Floats, compute_distances, compute_reach
from captioning.worlds.model import World
from captioning.worlds.vocabulary import BACKGROUNDS, COLORS, apply_shade

if TYPE_CHECKING:
    from PIL.Image import Image

# The image includes about two pixels beyond each side of the unit square.
_MARGIN = 2.0


def render_world(world: World, *, noise: float = 0.0, rng: np.random.Generator | None = None) -> NDArray[np.uint8]:
    """Return the image of a world as RGB bytes of shape (size, size, 3).

    Entities are drawn in order; each fades out linearly within one pixel outside its edge. `noise` is the standard
    deviation of normal noise, truncated at two standard deviations, in units of a colour channel (0 to 1); it needs
    `rng`.
    """
    n = world.size
    points = _sample_points(n)
    canvas = np.empty((n, n, 3))
    canvas[:] = BACKGROUNDS[world.background]
    for entity in world.entities:
        reach_x, reach_y = compute_reach(entity)
        columns = _find_pixels(n, entity.x - reach_x, entity.x + reach_x)
        rows = _find_pixels(n, entity.y - reach_y, entity.y + reach_y)
        distances = compute_distances(entity, points[columns], points[rows])
        cover = np.maximum(1.0 - n * distances, 0.0)[:, :, None]
        color = np.array(apply_shade(COLORS[entity.color], entity.shade))
        canvas[rows, columns] = cover * color + (1.0 - cover) * canvas[rows, columns]
    if noise > 0.0:
        if rng is None:
            raise ValueError("`noise` above 0 needs `rng`")
        canvas = np.clip(canvas + _draw_noise(canvas.shape, noise=noise, rng=rng), 0.0, 1.0)
    return (255.0 * canvas).astype(np.uint8)


def encode_png(image: "Image") -> bytes:
    """Return the content of a PNG file."""
    content = io.BytesIO()
    image.save(content, format="PNG")
    return content.getvalue()


@lru_cache(maxsize=8)
def _sample_points(n: int) -> Floats:
    return np.arange(n) / (n - 1) * (1.0 + 2 * _MARGIN / n) - _MARGIN / n


def _find_pixels(n: int, low: float, high: float) -> slice:
    """Return the pixels within one pixel of an interval in the unit square."""
    scale = (n - 1) / (1.0 + 2 * _MARGIN / n)
    first = math.floor((low - 1.0 / n + _MARGIN / n) * scale)
    last = math.ceil((high + 1.0 / n + _MARGIN / n) * scale)
    return slice(max(first, 0), max(last + 1, 0))


def _draw_noise(shape: tuple[int, ...], *, noise: float, rng: np.random.Generator) -> Floats:
    draws = rng.standard_normal(shape)
    while (far := np.abs(draws) > 2.0).any():
        draws[far] = rng.standard_normal(int(far.sum()))
    return draws * noise
