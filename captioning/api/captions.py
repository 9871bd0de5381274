"""What captioners return: captions of images, and the log-probabilities of captions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CaptionBatch:
    """The same number of captions for each image.

    Attributes:
        keys: `(n_images,)`: the key of each image.
        captions: `(n_images, n)`: the captions of each image: the most probable one first for `beam`, in the order in
            which they were drawn for `sample`. Tokens are joined by single spaces; a caption may be empty.
        log_probabilities: `(n_images, n)`: natural logarithm of the probability that the captioner gives to each
            caption, including its end (at temperature 1, without truncation); NaN where it has none.
    """

    keys: tuple[str, ...]
    captions: tuple[tuple[str, ...], ...]
    log_probabilities: Floats

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True, eq=False)
class CaptionScores:
    """The probabilities of given captions, one for each row.

    Attributes:
        log_probabilities: `(n,)`: natural logarithm of the probability of the whole caption, including its end; 0 at
            most. A word outside the vocabulary counts as the unknown word.
        n_steps: `(n,)`: the number of words and the end of each caption, by which the mean is formed.
        n_unknown: `(n,)`: the number of words of each caption outside the vocabulary; None if the captioner does not
            count them, as those that read parts of words.

    Raises:
        ValueError: `n_unknown` has another shape than `log_probabilities`.
    """

    log_probabilities: Floats
    n_steps: NDArray[np.int64]
    n_unknown: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if self.n_unknown is not None and self.n_unknown.shape != self.log_probabilities.shape:
            raise ValueError(
                f"`n_unknown` must have the shape of `log_probabilities`, {self.log_probabilities.shape}, got "
                f"{self.n_unknown.shape}"
            )

    @property
    def means(self) -> Floats:
        """`(n,)`: the mean log-probability of a step."""
        return self.log_probabilities / self.n_steps
