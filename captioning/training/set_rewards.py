"""The weights of sampled captions in the policy gradients of Wang et al. (2020), "On diversity in image captioning".

For an image, m captions c_1 ... c_m are drawn independently from p. Each function here returns weights w `(n, m)`, with
which the gradient of the loss is estimated by the mean over n images of -(1/m) sum_i w_i grad log p(c_i). Arguments:

- `accuracies` `(n, m)`: the reward R_a of each caption;
- `baselines` `(n,)`: the reward b of the caption of greedy decoding;
- `kernels` `(n, m, m)`: k_ij, symmetric, positive semi-definite up to rounding; in training the plain CIDEr of pairs,
  within [0, 10], diagonal 10 for captions of four words or more.

All values are float64 and must be finite; the losses of the paper are minimised.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TIES: Final = 1e-9
"""Eigenvalues that differ by less than this share of the largest one are equal; rounding is about 1e-15."""

EPSILON: Final = 1e-6
"""The constant that is added to the diagonal of L, so that it can be inverted (footnote 6 of the paper)."""


def weigh_scst(accuracies: Floats, baselines: Floats) -> Floats:
    """Return R_a - b: self-critical training (equation 10); unbiased for the gradient of -E[R_a]."""
    return accuracies - baselines[:, None]


def weigh_jpc(accuracies: Floats, baselines: Floats, kernels: Floats, *, eta: float) -> Floats:
    """Return R_a - (b - eta R_d): the joint probability of captions (equation 17).

    Equation 16 has the factor p(C without i), which belongs to the probability of the other samples: drawing them
    accounts for it. With equation 17 the estimate is unbiased for the gradient of -(E[R_a] + eta/m E[R_d]).
    """
    return weigh_scst(accuracies, baselines) + eta * measure_dominance(kernels)[:, None]


def weigh_epc(accuracies: Floats, baselines: Floats, kernels: Floats, *, gamma: float) -> Floats:
    """Return R_a - B with B = b - 2 gamma mean_j sign(dR_d/dk_ij) k_ij: each pair of captions (equations 21 and 23).

    The mean is over all m captions, i itself included. The signs are taken as constants, as in the paper: then the
    estimate is unbiased for the gradient of -(E[R_a] + gamma/m^2 E[sum_ij sign_ij k_ij]), where both captions of a
    pair count as independent draws, even a caption with itself.
    """
    signs = np.sign(differentiate_dominance(kernels))
    means: Floats = (signs * kernels).mean(axis=2)
    return weigh_scst(accuracies, baselines) + 2 * gamma * means


def weigh_mcider(accuracies: Floats, baselines: Floats, kernels: Floats, *, gamma: float) -> Floats:
    """Return R_a - B with B = b + 2 gamma mCIDEr(c_i), the mean of k_ij over all m captions (below equation 22).

    The mean includes i itself. This is `weigh_epc` with all signs -1. The estimate is unbiased for the gradient of
    -(E[R_a] - gamma E[mean of all k_ij]) where k_ii is the same for all captions.
    """
    means: Floats = kernels.mean(axis=2)
    return weigh_scst(accuracies, baselines) - 2 * gamma * means


def weigh_uda(qualities: Floats, kernels: Floats, *, epsilon: float = EPSILON) -> Floats:
    """Return 2 mean_j sign((L + epsilon I)^-1)_ij l_ij with l_ij = q_i q_j k_ij, without a baseline (equations 25, 26).

    The derivative of det L is det(L) times the inverse, whose sign is that of the inverse, since L is positive
    semi-definite. The signs are taken as constants, as in `weigh_epc`.

    Args:
        qualities: `(n, m)`: q_i, at least 0: CIDEr, or CIDEr + zeta RETr (equation 27).
        kernels: As above.
        epsilon: Positive.
    """
    ensembles = qualities[:, :, None] * qualities[:, None, :] * kernels
    inverses = np.linalg.inv(ensembles + epsilon * np.eye(kernels.shape[1]))
    return np.asarray(2 * (np.sign(inverses) * ensembles).mean(axis=2), dtype=np.float64)


def measure_dominance(kernels: Floats) -> Floats:
    """Return `(n,)`: R_d = -l_1 / sum of l, without square roots, within [-1, -1/m]; 0 for a matrix of zeros."""
    totals = np.trace(kernels, axis1=1, axis2=2)
    largest = np.linalg.eigvalsh(kernels)[:, -1]
    shares: Floats = np.divide(largest, totals, out=np.zeros(len(kernels)), where=totals > 0)
    return -shares


def differentiate_dominance(kernels: Floats) -> Floats:
    """Return `(n, m, m)`: dR_d/dk_ij = -(u_i1 u_j1 sum of l - l_1 [i = j]) / (sum of l)^2 (equation 23).

    The sign of an eigenvector has no effect. If the d largest eigenvalues are equal, R_d has no derivative; u_i1 u_j1
    is then replaced by the mean over their d eigenvectors, which is the same for every choice of these, and a
    subgradient of l_1. Derivatives below rounding are exactly 0, so that their sign is 0. For a matrix of zeros all
    derivatives are 0.
    """
    m = kernels.shape[1]
    eigenvalues, vectors = np.linalg.eigh(kernels)
    largest = eigenvalues[:, -1:]
    is_largest = (eigenvalues >= largest - _TIES * np.abs(largest)).astype(np.float64)
    shares = is_largest / is_largest.sum(axis=1, keepdims=True)
    products = np.einsum("nil,nl,njl->nij", vectors, shares, vectors)
    totals = np.trace(kernels, axis1=1, axis2=2)[:, None, None]
    terms = products * totals - largest[:, :, None] * np.eye(m)
    terms[np.abs(terms) <= _TIES * np.abs(totals)] = 0.0
    return np.asarray(-np.divide(terms, totals**2, out=np.zeros_like(terms), where=totals > 0), dtype=np.float64)
