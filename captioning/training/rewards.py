"""Rewards of sampled captions, and their similarity: the bundled metrics, called in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from captioning.api.captioned import CaptionedImages
from captioning.api.errors import CaptionerError
from captioning.selection.dpp import count_references, measure_similarity
from metrics_plugins.api import Batch
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.metrics.diversity.kernels import ORDER, SCALE, SIGMA
from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer
from metrics_plugins.metrics.grounded.gtd import GtdTruthful
from metrics_plugins.metrics.ngram.cider import FittedCiderD
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies

Floats = NDArray[np.float64]
Int64 = NDArray[np.int64]

TOKENIZER: Final = WhiteSpaceTokenizer()
"""The captions of trainings are tokenised already."""

_END: Final = "<eos>"


@dataclass(frozen=True, slots=True, eq=False)
class SampledCaptions:
    """The same number of captions for each image of a batch.

    Attributes:
        rows: `(n,)`: the number of each image in the data.
        lines: `(n, m)`: the captions of each image.
        is_complete: `(n, m)`, bool: whether the caption has an end of its own, not forced by the maximum length.
    """

    rows: Int64
    lines: tuple[tuple[str, ...], ...]
    is_complete: NDArray[np.bool_]


class Reward(Protocol):
    """Rates sampled captions of training images."""

    def rate(self, captions: SampledCaptions) -> Floats:
        """Return `(n, m)`: the reward of each caption, finite; more is better."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CiderReward:
    """CIDEr-D with the captions of the image as references, within [0, 10].

    Attributes:
        metric: Over the document frequencies of the training captions.
        references: `(n_images,)`: the captions of each image, with ends if they count.
        counts_end: Whether the end of a caption is a word, as in the code of self-critical training.
    """

    metric: FittedCiderD
    references: tuple[tuple[str, ...], ...] = field(repr=False)
    counts_end: bool

    @classmethod
    def fit(cls, data: CaptionedImages, *, counts_end: bool) -> "CiderReward":
        """Count the document frequencies of the data's captions; each image is a document."""
        end = f" {_END}" if counts_end else ""
        references = tuple(tuple(f"{line}{end}" for line in lines) for lines in data.captions)
        return cls(make_cider_d(count_frequencies(references)), references, counts_end)

    def rate(self, captions: SampledCaptions) -> Floats:
        """As `Reward.rate`; CIDEr-D is 0 for an empty caption."""
        m = captions.is_complete.shape[1]
        end = f" {_END}" if self.counts_end else ""
        lines = [
            f"{line}{end}" if is_complete else line
            for row, complete in zip(captions.lines, captions.is_complete.tolist(), strict=True)
            for line, is_complete in zip(row, complete, strict=True)
        ]
        references = [self.references[row] for row in captions.rows.tolist() for _ in range(m)]
        batch = Batch.make(map(str, range(len(lines))), candidates=lines, references=references)
        return self.metric.score(batch).values.reshape(-1, m)


@dataclass(frozen=True, slots=True, eq=False)
class TruthReward:
    """1 for a caption that is true of its world, 0 for one that is false, ambiguous or ungrammatical."""

    worlds: tuple[CaptionWorld, ...] = field(repr=False)

    @classmethod
    def fit(cls, data: CaptionedImages) -> "TruthReward":
        """Take the worlds of the data.

        Raises:
            CaptionerError: They are not known.
        """
        return cls(require_worlds(data))

    def rate(self, captions: SampledCaptions) -> Floats:
        """As `Reward.rate`."""
        m = captions.is_complete.shape[1]
        worlds = [self.worlds[row] for row in captions.rows.tolist() for _ in range(m)]
        lines = [line for row in captions.lines for line in row]
        batch = Batch.make(map(str, range(len(lines))), candidates=lines, worlds=worlds)
        return GtdTruthful(over="all").score(batch).values.reshape(-1, m)


@dataclass(frozen=True, slots=True, eq=False)
class SummedReward:
    """The sum of a reward and a weighted one, such as CIDEr + zeta RETr (Wang et al. 2020, equation 27)."""

    first: Reward
    second: Reward
    weight: float

    def rate(self, captions: SampledCaptions) -> Floats:
        """As `Reward.rate`."""
        return self.first.rate(captions) + self.weight * self.second.rate(captions)


def rate_safely(reward: Reward, captions: SampledCaptions) -> Floats:
    """Return `reward.rate(captions)`.

    Raises:
        CaptionerError: The rewards have a wrong shape or are not finite; the message has the caption.
    """
    values = reward.rate(captions)
    if values.shape != captions.is_complete.shape:
        raise CaptionerError(
            f"{type(reward).__name__} must give rewards of shape {captions.is_complete.shape}, got {values.shape}"
        )
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0].tolist()
        raise CaptionerError(
            f"{type(reward).__name__} must give finite rewards, got {values[row, column]} for "
            f"{captions.lines[row][column]!r} of image {int(captions.rows[row])}"
        )
    return values


def measure_kernels(captions: SampledCaptions, documents: DocumentFrequencies) -> Floats:
    """Return `(n, m, m)`: the plain CIDEr of all pairs of captions of an image, within [0, 10], symmetric."""
    return SCALE * measure_similarity(captions.lines, documents=documents, tokenizer=TOKENIZER)


def count_frequencies(captions: Sequence[Sequence[str]]) -> DocumentFrequencies:
    """Return the document frequencies of `(n_images,)` captions."""
    return count_references(captions, tokenizer=TOKENIZER)


def make_cider_d(documents: DocumentFrequencies) -> FittedCiderD:
    """Return CIDEr-D over document frequencies."""
    return FittedCiderD(tokenizer=TOKENIZER, df=documents, n=ORDER, sigma=SIGMA)


def require_worlds(data: CaptionedImages) -> tuple[CaptionWorld, ...]:
    """Return the worlds of captioned images.

    Raises:
        CaptionerError: They are not known.
    """
    worlds = data.worlds or ()
    known = tuple(world for world in worlds if isinstance(world, CaptionWorld))
    if not known or len(known) < len(data):
        raise CaptionerError(f"truth needs the world of every image, but these {len(data)} have {len(known)}")
    return known


def require_validation_worlds(validation: CaptionedImages) -> None:
    """Raise `CaptionerError`, for the selection by truth, if the worlds of validation images are not known."""
    try:
        require_worlds(validation)
    except CaptionerError as error:
        raise CaptionerError(
            f"`selection` of a training is 'truth', but the validation images do not allow it: {error}"
        ) from error
