"""Linear spaces in which captions of one image lie close and those of others apart.

The discriminant analysis of Fisher (1936) with a shrunk scatter (Friedman 1989): vectors are centred, turned to the
directions that tell images apart best, and each direction is damped by how little of it does (its ratio of scatter
between to all scatter, to a power).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A space learned for the vectors of an encoder.

    Attributes:
        center: `(dimension,)`, taken off first.
        directions: `(dimension, dimension)`, what the rest is multiplied with.
    """

    center: Float32s
    directions: Float32s

    def lay_out(self) -> "Space":
        """Return the same numbers, laid out in memory as a file gives them: the bits of a product depend on that."""
        return Space(np.ascontiguousarray(self.center), np.ascontiguousarray(self.directions))

    def project(self, vectors: Float32s) -> Float32s:
        """Return `(n, dimension)`: the vectors in this space; they are brought to length 1 before. NaN stays NaN.

        The bits of a row depend on how many rows there are; give what belongs together together.
        """
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        unit = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        projected: Float32s = (unit - self.center) @ self.directions
        return projected


@dataclass(frozen=True, slots=True, eq=False)
class SpaceSource:
    """What a space is made from.

    Attributes:
        center: `(dimension,)`: the mean of the vectors.
        within: `(dimension, dimension)`: covariance among vectors that belong together.
        between: `(dimension, dimension)`: covariance of what they belong to.
    """

    center: Float64s
    within: Float64s
    between: Float64s


def measure_sentence_scatter(vectors: Float32s, groups: Int64) -> SpaceSource:
    """Return the scatter of sentence vectors (each of length 1) within and between images.

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
    # The scatter of means holds some of the scatter within, for they are means of few.
    between = spread.T @ spread / len(counts) - within / counts.mean()
    return SpaceSource(center=vectors.mean(axis=0, dtype=np.float64), within=within, between=between)


def measure_token_scatter(tokens: Float32s, differences: Float32s) -> SpaceSource:
    """Return the scatter of tokens (each of length 1).

    Args:
        tokens: `(n_tokens, dimension)`.
        differences: `(n_pairs, dimension)`: of tokens that say the same in two captions of one image.
    """
    wide = differences.astype(np.float64)
    # A difference of two has twice the scatter of one.
    within = wide.T @ wide / (2 * len(wide))
    spread = tokens.astype(np.float64) - tokens.mean(axis=0, dtype=np.float64)
    return SpaceSource(
        center=tokens.mean(axis=0, dtype=np.float64), within=within, between=spread.T @ spread / len(tokens) - within
    )


def make_space(scatter: SpaceSource, *, shrinkage: float, power: float) -> Space:
    """Return the space that tells apart best.

    Args:
        scatter: Within and between.
        shrinkage: How far the scatter within is drawn to a sphere of its size, above 0 and at most 1.
        power: Of the damping of each direction.
    """
    # scipy.linalg is slow to import and wanted for learning only.
    from scipy.linalg import eigh

    size = len(scatter.center)
    sphere = np.eye(size) * np.trace(scatter.within) / size
    ratios, directions = eigh(scatter.between, (1 - shrinkage) * scatter.within + shrinkage * sphere)
    ratios = np.maximum(ratios, 0.0)
    # An eigenvector has no sign; without one the same captions could give two spaces that differ in bits.
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(size)])
    damped = directions * signs * (ratios / (1 + ratios)) ** power
    # On one scale whatever the encoder's; only directions and their proportions matter.
    damped *= np.sqrt(size / (damped**2).sum())
    return Space(center=scatter.center.astype(np.float32), directions=damped.astype(np.float32))
