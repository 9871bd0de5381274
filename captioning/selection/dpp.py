"""Select accurate and different captions with a determinantal point process (DPP).

Wang et al. (2020), "On diversity in image captioning: metrics and methods", section 4.3 and algorithm 1. Of N captions
of an image, m are selected one by one: first the caption of the highest quality, then the one that maximises
log det(L) of the selected captions, where L_ij = q_i q_j k_ij, q is the quality of captions and k their similarity.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from captioning.api.captions import Floats
from captioning.selection.scoring import Rows
from metrics_plugins.api import Batch
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.diversity.kernels import ORDER, SCALE, derive_kernels
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents
from metrics_plugins.text.plugin import PtbTokenizer
from metrics_plugins.text.ptb import tokenizer as ptb

SINGULAR = 1e-10
"""A caption is in the span of the selected ones if less than this share of its similarity to itself remains."""

PTB = PtbTokenizer(name="ptb", version=ptb.VERSION)

_TIE = 1e-9


def select_diverse(kernel: Floats, quality: Floats, *, n: int) -> Rows:
    """Return `(n,)`: the captions that the greedy algorithm selects, in the order of selection.

    log det(L) is followed by an incremental Cholesky factorisation: with S selected, det(L) of S and i is det(L) of S
    times q_i^2 v_i, where v_i is what remains of k_ii after projection onto S. A step takes O(N |S|) operations.

    Equal values: the first caption is selected. Values count as equal if they differ by less than a share of 1e-9, so
    that rounding does not decide between copies of a caption.

    Singular matrices: a copy of a selected caption, or one in the span of those selected, has log det -inf, as has one
    of quality 0. When only such captions are left, the one of the highest quality is selected, of several the one
    with the largest remainder v_i. So the result always has `n` captions.

    Args:
        kernel: `(N, N)`: the similarity of captions, symmetric and without negative eigenvalues (beyond rounding).
        quality: `(N,)`: the quality of captions, 0 or positive, such as their CIDEr (DPP-CIDEr) or what a critic gives
            that sees no references (DPP-L2E). Its scale does not matter.
        n: The number of captions to select, from 1 to N.

    Raises:
        ValueError: A shape does not fit, a number is not finite, the kernel is not symmetric, or a quality is negative.
    """
    _check(kernel, quality, n=n)
    factors = np.zeros((n, len(quality)))
    own = np.diag(kernel).astype(np.float64)
    remainders = own.copy()
    selected = [_find_first(quality)]
    while len(selected) < n:
        last, step = selected[-1], len(selected) - 1
        if remainders[last] > 0:
            factors[step] = (kernel[last] - factors[:step, last] @ factors[:step]) / np.sqrt(remainders[last])
            remainders = remainders - factors[step] ** 2
        # Rounding leaves tiny remainders, on both sides of 0, of captions in the span.
        remainders[remainders <= SINGULAR * own] = 0.0
        remainders[selected] = 0.0
        gains = quality**2 * remainders
        gains[selected] = -1.0
        if gains.max() > 0:
            selected.append(_find_first(gains))
            continue
        rest = np.setdiff1d(np.arange(len(quality)), selected)
        best = rest[quality[rest] >= quality[rest].max() * (1 - _TIE)]
        selected.append(int(best[_find_first(remainders[best])]))
    return np.array(selected, dtype=np.int64)


def count_references(references: Sequence[Sequence[str]], *, tokenizer: Tokenizer = PTB) -> DocumentFrequencies:
    """Return the document frequencies of CIDEr in references, one row for each image, of a training set as a rule."""
    batch = Batch.make(map(str, range(len(references))), references=references)
    return count_documents(batch, tokenizer, order=ORDER)


def measure_similarity(
    captions: Sequence[Sequence[str]], *, documents: DocumentFrequencies, tokenizer: Tokenizer = PTB
) -> Floats:
    """Return `(n_images, N, N)`: the plain CIDEr of all pairs of captions of an image divided by 10, in [0, 1].

    Plain CIDEr is a mean of cosines, so that the matrices are symmetric and have no negative eigenvalues, which CIDEr-D
    does not guarantee.

    Args:
        captions: `(n_images, N)`: the same number of captions for each image.
        documents: As from `count_references`.
        tokenizer: That of the documents.
    """
    n = len(captions[0])
    batch = Batch.make(map(str, range(len(captions))), caption_sets=captions)
    kernels = derive_kernels(batch, tokenizer, documents, similarity="cider")
    values = np.empty((len(captions), n, n))
    for rows, matrices in kernels.iterate(as_given=True):
        values[rows] = matrices / SCALE
    # Each half is rounded by itself.
    symmetric: Floats = (values + values.swapaxes(1, 2)) / 2
    return symmetric


def select_captions(
    captions: Sequence[Sequence[str]], quality: Floats, *, documents: DocumentFrequencies, n: int
) -> Rows:
    """Return `(n_images, n)`: the captions of each image that the DPP over CIDEr selects, in the order of selection.

    Args:
        captions: `(n_images, N)`: the same number of captions for each image; the paper draws N = 100.
        quality: `(n_images, N)`: as in `select_diverse`.
        documents: As from `count_references`.
        n: The number of captions to select; 10 in the paper.

    Raises:
        ValueError: As for `select_diverse`.
    """
    kernels = measure_similarity(captions, documents=documents)
    return np.stack([select_diverse(kernel, own, n=n) for kernel, own in zip(kernels, quality, strict=True)])


def _find_first(values: NDArray[np.float64]) -> int:
    """Return the position of the first value that equals the largest one up to rounding; values are 0 or positive."""
    return int(np.flatnonzero(values >= values.max() * (1 - _TIE))[0])


def _check(kernel: Floats, quality: Floats, *, n: int) -> None:
    size = len(quality)
    if kernel.shape != (size, size):
        raise ValueError(f"the kernel of {size} captions must be ({size}, {size}), got {kernel.shape}")
    if not 1 <= n <= size:
        raise ValueError(f"`n` must be from 1 to the number of captions, {size}, got {n}")
    if not (np.isfinite(kernel).all() and np.isfinite(quality).all()):
        raise ValueError("kernel and quality must be finite numbers")
    if quality.min() < 0:
        raise ValueError(f"quality must be 0 or positive, got {quality.min()}")
    if not np.allclose(kernel, kernel.T, atol=1e-8):
        raise ValueError("the kernel must be symmetric")
