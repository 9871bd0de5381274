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

# float64 holds every integer up to 2^53 exactly.
_EXACT_BITS: Final = 53
# Steps of centred vectors, which are at most about 2 long: 2^-24, the precision of float32 just below 1.
_VECTOR_BITS: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A space learned for the vectors of an encoder.

    Attributes:
        center: `(dimension,)`, subtracted first.
        directions: `(dimension, dimension)`, by which the centred vectors are multiplied.
    """

    center: Float32s
    directions: Float32s

    def project(self, vectors: Float32s) -> Float32s:
        """Return `(n, dimension)`: the vectors, normalised to length 1 and projected to this space. NaN stays NaN.

        The result for a vector does not depend on the others, nor on the processor. A matrix product of floating-point
        numbers rounds in an order that depends on a row's place and on the kernel that the processor gets. Therefore
        both factors are rounded to multiples of powers of two, such that all partial sums are exact in float64.
        """
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        unit = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        centred = np.rint((unit - self.center).astype(np.float64) * 2.0**_VECTOR_BITS)
        bits = self.count_bits()
        products = centred @ np.rint(self.directions.astype(np.float64) * 2.0**bits)
        projected: Float32s = (products * 2.0 ** -(bits + _VECTOR_BITS)).astype(np.float32)
        return projected

    def count_bits(self) -> int:
        """Return the number of bits after the point to which directions are rounded: the most with exact products.

        By the inequality of Cauchy and Schwarz, the absolute values of the terms of a product sum to at most the
        product of the lengths of both factors. Rounding changes the length of a factor by at most sqrt(dimension) / 2.
        """
        directions, center = self.directions.astype(np.float64), self.center.astype(np.float64)
        rounding = np.sqrt(len(center)) / 2
        # Vectors normalised in float32 are longer than 1 by less than 0.001.
        longest = (1.001 + np.sqrt((center**2).sum())) * 2.0**_VECTOR_BITS + rounding
        widest = float(np.sqrt((directions**2).sum(axis=0)).max(initial=0.0))
        return int(np.floor(np.log2((2.0**_EXACT_BITS / longest - rounding) / widest))) if widest > 0 else 0


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
