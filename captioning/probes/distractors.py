"""The distractor probe: whether a captioner finds common but wrong captions more likely than human ones.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.1. The distractors are the captions
that are most frequent in the training set. For an image only those are kept that name an object which is not there, by
the rule of CHAIR (Rohrbach et al. 2018). The captioner fails on the image if it gives any of them a higher probability
than any one of the human captions: there are d and g with P(d|I) > P(g|I). The paper finds 73 % of validation images
for the captioner of Anderson et al. (2018); it does not say whether log-probabilities are summed or averaged over words
(its figure 2 prints means), so both are reported.

A captioner with a vocabulary scores all words outside it as the unknown word, whose probability is that of many words
together, or of none if it never was a target. Neither is the probability of the caption, so the comparison is also
reported without the captions that have such words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captioning.api import CaptionedImages, Captioner, CaptionerError
from captioning.api.captions import Floats
from captioning.runtime import run_scores
from correlation.resampling.shares import bound_share
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.probes.templated.coco_objects import find_coco_objects
from metrics_plugins.probes.templated.distractors import FrequentCaption, find_frequent_captions

Bools = NDArray[np.bool_]

N_DISTRACTORS: Final = 5
IMAGES_AT_ONCE: Final = 64
AGGREGATIONS: Final = ("mean", "sum")
"""How the log-probabilities of words are aggregated: `mean` over words and the end, or `sum`."""


@dataclass(frozen=True, slots=True)
class Distractor:
    """One of the most frequent captions.

    Attributes:
        caption: Its tokens.
        n_training: How often it occurs in the training captions.
        n_kept: The number of images for which it was kept.
        n_preferred: For each of `AGGREGATIONS`, the number of these images where it is more likely than a human
            caption.
    """

    caption: str
    n_training: int
    n_kept: int
    n_preferred: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnownWordsResult:
    """The comparison without the captions, human ones and distractors, that have words outside the vocabulary.

    Attributes:
        n_affected: The number of images with a human caption that is left out.
        n_images: The number of images with a human caption that is not left out.
        n_fooled: For each of `AGGREGATIONS`, the number of these images where a kept distractor is more likely than
            one of the other human captions.
    """

    n_affected: int
    n_images: int
    n_fooled: tuple[int, ...]

    def get_share(self, aggregation: str) -> float:
        """Return the share of `n_images` where a distractor wins; NaN without images."""
        return self.n_fooled[AGGREGATIONS.index(aggregation)] / self.n_images if self.n_images else float("nan")

    def get_interval(self, aggregation: str) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the share."""
        return bound_share(self.n_fooled[AGGREGATIONS.index(aggregation)], self.n_images)


@dataclass(frozen=True, slots=True)
class DistractorReport:
    """The result of the probe.

    Attributes:
        captioner: The id of the captioner.
        note: The remark of the images; empty if none.
        n_images: The number of images.
        n_probed: The number of images with a distractor that names an absent object.
        n_fooled: For each of `AGGREGATIONS`, the number of images where a kept distractor is more likely than a human
            caption.
        distractors: The distractors, the most frequent ones first.
        known_words: The result without captions that have unknown words; None if the captioner does not count these.
    """

    captioner: str
    note: str
    n_images: int
    n_probed: int
    n_fooled: tuple[int, ...]
    distractors: tuple[Distractor, ...]
    known_words: KnownWordsResult | None = None

    def get_share(self, aggregation: str) -> float:
        """Return the share of all images where a distractor wins, the number of the paper; NaN without images."""
        return self.n_fooled[AGGREGATIONS.index(aggregation)] / self.n_images if self.n_images else float("nan")

    def get_interval(self, aggregation: str) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the share."""
        return bound_share(self.n_fooled[AGGREGATIONS.index(aggregation)], self.n_images)


@dataclass(frozen=True, slots=True, eq=False)
class _Likelihoods:
    """Log-probabilities of the human captions of images, then of all distractors for each image.

    Attributes:
        human_rows: `(n_human,)`: the image of each human caption.
        by_aggregation: `(n_human + n_images * n_distractors,)` for each of `AGGREGATIONS`.
        is_known: Of the same length: whether all words are in the vocabulary; None if the captioner does not say.
        shape: The numbers of images and distractors.
    """

    human_rows: NDArray[np.int64]
    by_aggregation: Mapping[str, Floats]
    is_known: Bools | None
    shape: tuple[int, int]


def probe_distractors(
    captioner: Captioner,
    data: CaptionedImages,
    *,
    training_captions: Sequence[str],
    n_distractors: int = N_DISTRACTORS,
    track: Track = pass_on,
) -> DistractorReport:
    """Compare the probabilities of distractors with those of human captions.

    The objects of an image are those in `images.objects`, if there are any, and those that its captions name. With
    COCO's own annotations in `images.objects` that is CHAIR's rule; without them, objects that no caption names count
    as absent. Equal probabilities count for the human caption.

    Args:
        captioner: Gives probabilities to captions.
        data: Images with human captions.
        training_captions: The captions among which the most frequent ones are found.
        n_distractors: Their number.
        track: Displays progress.

    Raises:
        CaptionerError: The captioner gives no probabilities, or there are no images or no training captions.
        BadCaptions: It returns a value that is not a log-probability.
    """
    frequent = find_frequent_captions(training_captions, n=n_distractors)
    if not frequent:
        raise CaptionerError("the distractor probe needs training captions, got none")
    if not len(data):
        raise CaptionerError("the distractor probe needs images, got none")
    is_kept = _find_wrong(frequent, data)
    starts = range(0, len(data), IMAGES_AT_ONCE)
    likelihoods = []
    for start in track(starts, total=len(starts), label="distractors"):
        part = data.select(np.arange(start, min(start + IMAGES_AT_ONCE, len(data))))
        likelihoods.append(_score(captioner, part, [each.caption for each in frequent]))
    wins = np.concatenate([_compare(each) for each in likelihoods], axis=1) & is_kept
    return DistractorReport(
        captioner=captioner.info.id,
        note=data.note,
        n_images=len(data),
        n_probed=int(is_kept.any(axis=1).sum()),
        n_fooled=tuple(wins.any(axis=2).sum(axis=1).tolist()),
        distractors=tuple(
            Distractor(
                caption=each.caption,
                n_training=each.n,
                n_kept=int(is_kept[:, place].sum()),
                n_preferred=tuple(wins[:, :, place].sum(axis=1).tolist()),
            )
            for place, each in enumerate(frequent)
        ),
        known_words=_compare_known(likelihoods, is_kept),
    )


def _find_wrong(frequent: Sequence[FrequentCaption], data: CaptionedImages) -> Bools:
    """Return `(n_images, n_distractors)`: whether a distractor names an object that is not in the image."""
    named = [frozenset(row) for row in find_coco_objects([each.caption for each in frequent])]
    found = iter(find_coco_objects(list(chain.from_iterable(data.captions))))
    known = data.images.objects or ((),) * len(data)
    present = [
        frozenset(objects).union(*(next(found) for _ in captions))
        for objects, captions in zip(known, data.captions, strict=True)
    ]
    return np.array([[not objects <= there for objects in named] for there in present], dtype=np.bool_)


def _score(captioner: Captioner, data: CaptionedImages, distractors: Sequence[str]) -> _Likelihoods:
    human_rows = np.repeat(np.arange(len(data)), [len(captions) for captions in data.captions])
    rows = np.concatenate([human_rows, np.repeat(np.arange(len(data)), len(distractors))])
    captions = [*chain.from_iterable(data.captions), *list(distractors) * len(data)]
    scores = run_scores(captioner, data.images.select(rows), captions)
    return _Likelihoods(
        human_rows=human_rows,
        by_aggregation={"mean": scores.means, "sum": scores.log_probabilities},
        is_known=None if scores.n_unknown is None else scores.n_unknown == 0,
        shape=(len(data), len(distractors)),
    )


def _compare(scored: _Likelihoods, *, is_counted: Bools | None = None) -> Bools:
    """Return `(n_aggregations, n_images, n_distractors)`: whether a distractor is more likely than any human caption.

    Args:
        scored: The log-probabilities.
        is_counted: For each caption, whether it is compared; None for all.
    """
    n_human = len(scored.human_rows)
    compared = []
    for aggregation in AGGREGATIONS:
        human, others = np.split(scored.by_aggregation[aggregation], [n_human])
        if is_counted is not None:
            human = np.where(is_counted[:n_human], human, np.inf)
            others = np.where(is_counted[n_human:], others, -np.inf)
        least = np.full(scored.shape[0], np.inf)
        np.minimum.at(least, scored.human_rows, human)
        compared.append(others.reshape(scored.shape) > least[:, None])
    return np.stack(compared)


def _compare_known(parts: Sequence[_Likelihoods], is_kept: Bools) -> KnownWordsResult | None:
    wins, n_affected, n_images = [], 0, 0
    for part in parts:
        if part.is_known is None:
            return None
        wins.append(_compare(part, is_counted=part.is_known))
        is_known = part.is_known[: len(part.human_rows)]
        n_affected += len(np.unique(part.human_rows[~is_known]))
        n_images += len(np.unique(part.human_rows[is_known]))
    n_fooled = (np.concatenate(wins, axis=1) & is_kept).any(axis=2).sum(axis=1)
    return KnownWordsResult(n_affected=n_affected, n_images=n_images, n_fooled=tuple(n_fooled.tolist()))
