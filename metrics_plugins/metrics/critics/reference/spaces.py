"""Linear spaces in which captions of the same image are close, and captions of different images are far apart.

Fisher's discriminant analysis (1936) with regularised scatter (Friedman 1989): vectors are centred and projected to the
most discriminating directions, and each direction is scaled by a power of its ratio of between-image scatter to total
scatter.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

# Rows of a tile: enough for matrix products to be fast, few enough for little waste.
_TILE: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A space learned for the vectors of an encoder.

    Attributes:
        center: `(dimension,)`, subtracted first.
        directions: `(dimension, dimension)`, by which the centred vectors are multiplied.
    """

    center: Float32s
    directions: Float32s

    def lay_out(self) -> "Space":
        """Return the same numbers in the memory layout of a loaded file, on which the rounding of products depends."""
        return Space(np.ascontiguousarray(self.center), np.ascontiguousarray(self.directions))

    def project(self, vectors: Float32s) -> Float32s:
        """Return `(n, dimension)`: the vectors, normalised to length 1 and projected to this space. NaN stays NaN.

        Rounding depends on the number of rows, so vectors that must be comparable are passed in the same call.
        """
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        unit = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        projected: Float32s = (unit - self.center) @ self.directions
        return projected

    def project_each(self, vectors: Float32s) -> Float32s:
        """Return the same in tiles of one shape, so that the rounding of a vector does not depend on the others."""
        n_tiles = -(-len(vectors) // _TILE)
        tiles = np.zeros((n_tiles * _TILE, vectors.shape[1]), dtype=np.float32)
        tiles[: len(vectors)] = vectors
        projected = [self.project(tiles[start : start + _TILE]) for start in range(0, len(tiles), _TILE)]
        return np.concatenate([np.empty((0, self.directions.shape[1]), np.float32), *projected])[: len(vectors)]


@dataclass(frozen=True, slots=True, eq=False)
class SpaceSource:
    """The data from which a space is computed.

    Attributes:
        center: `(dimension,)`: the mean of the vectors.
        within: `(dimension, dimension)`: covariance within groups.
        between: `(dimension, dimension)`: covariance of group means.
    """

    center: Float64s
    within: Float64s
    between: Float64s


def measure_sentence_scatter(vectors: Float32s, groups: Int64) -> SpaceSource:
    """Return the scatter of sentence vectors (normalised to length 1) within and between images.

    Args:
        vectors: `(n_captions, dimension)`.
        groups: `(n_captions,)`: the image of each, from 0; at least one image has two captions.
    """
    counts = np.bincount(groups).astype(np.float64)
    means = np.zeros((len(counts), vectors.shape[1]))
    np.add.at(means, groups, vectors.astype(np.float64))
    means /= counts[:, None]
    rest = vectors.astype(np.float64) - means[groups]
    within = rest.T @ rest / (len(vectors) - len(counts))
    spread = means - vectors.mean(axis=0, dtype=np.float64)
    # Means of few vectors include part of the scatter within groups, which is subtracted.
    between = spread.T @ spread / len(counts) - within / counts.mean()
    return SpaceSource(center=vectors.mean(axis=0, dtype=np.float64), within=within, between=between)


def measure_token_scatter(tokens: Float32s, differences: Float32s) -> SpaceSource:
    """Return the scatter of tokens (normalised to length 1).

    Args:
        tokens: `(n_tokens, dimension)`.
        differences: `(n_pairs, dimension)`: between matching tokens of two captions of one image.
    """
    wide = differences.astype(np.float64)
    # The difference of two vectors has twice the scatter of one.
    within = wide.T @ wide / (2 * len(wide))
    spread = tokens.astype(np.float64) - tokens.mean(axis=0, dtype=np.float64)
    return SpaceSource(
        center=tokens.mean(axis=0, dtype=np.float64), within=within, between=spread.T @ spread / len(tokens) - within
    )


def make_space(scatter: SpaceSource, *, shrinkage: float, power: float) -> Space:
    """Return the most discriminating space.

    Args:
        scatter: Scatter within and between groups.
        shrinkage: The shrinkage of the within scatter towards a multiple of the identity, above 0 and at most 1.
        power: The power of the scaling of directions.
    """
    # scipy.linalg is slow to import and needed only for training.
    from scipy.linalg import eigh

    size = len(scatter.center)
    sphere = np.eye(size) * np.trace(scatter.within) / size
    ratios, directions = eigh(scatter.between, (1 - shrinkage) * scatter.within + shrinkage * sphere)
    ratios = np.maximum(ratios, 0.0)
    # Eigenvectors have arbitrary signs; fixing them makes the space reproducible.
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(size)])
    damped = directions * signs * (ratios / (1 + ratios)) ** power
    # A common scale for all encoders; only directions and their proportions matter.
    damped *= np.sqrt(size / (damped**2).sum())
    return Space(center=scatter.center.astype(np.float32), directions=damped.astype(np.float32))
