"""Compact bilinear pooling: the outer product of two vectors, hashed into fewer numbers.

Pham and Pagh (2013), "Fast and scalable polynomial kernels via explicit feature maps"; Gao et al. (2016), "Compact
bilinear pooling".
"""

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

SEEDS: Final = ((1, 3), (5, 7))
"""For each of the two vectors, the seeds of its positions and signs, as in Cui et al. (2018) and other code."""


def draw_sketch(dimension: int, *, size: int, seeds: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """Return the position among `size` and the sign of each of `dimension` numbers, from NumPy's legacy generator."""
    places = np.random.RandomState(seeds[0]).randint(size, size=dimension)
    signs = 2 * np.random.RandomState(seeds[1]).randint(2, size=dimension) - 1
    return torch.from_numpy(places.astype(np.int64)), torch.from_numpy(signs.astype(np.float32))


def sketch(vectors: Tensor, places: Tensor, signs: Tensor, *, size: int) -> Tensor:
    """Return `(n, size)`, at least float32: the numbers of `(n, dimension)` times their signs, summed by position."""
    wide = vectors.to(torch.promote_types(vectors.dtype, torch.float32))
    empty = wide.new_zeros(len(vectors), size)
    added: Tensor = empty.index_add(1, places, wide * signs.to(wide.dtype))
    return added


def convolve(first: Tensor, second: Tensor) -> Tensor:
    """Return `(n, size)`: the circular convolution of the rows of two sketches of that shape."""
    size = first.shape[-1]
    convolved: Tensor = torch.fft.irfft(torch.fft.rfft(first) * torch.fft.rfft(second), n=size)
    return convolved


class BilinearPooling(nn.Module):
    """Pools `(n, first)` and `(n, second)` to `(n, size)`, without a root or normalisation.

    It has no weights: positions and signs are drawn with fixed seeds.
    """

    def __init__(self, first: int, second: int, *, size: int) -> None:
        super().__init__()
        self.size = size
        for number, (dimension, seeds) in enumerate(zip((first, second), SEEDS, strict=True)):
            places, signs = draw_sketch(dimension, size=size, seeds=seeds)
            # Not saved with the weights, since the seeds determine them.
            self.register_buffer(f"places_{number}", places, persistent=False)
            self.register_buffer(f"signs_{number}", signs, persistent=False)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        sketches = [
            sketch(vectors, self.get_buffer(f"places_{number}"), self.get_buffer(f"signs_{number}"), size=self.size)
            for number, vectors in enumerate((first, second))
        ]
        return convolve(*sketches)
