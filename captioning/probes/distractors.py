"""The distractor probe: whether a captioner finds common but wrong captions more likely than human ones.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.1. The distractors are the captions
that are most frequent in the training set. For an image only those are kept that name an object which is not there, by
the rule of CHAIR (Rohrbach et al. 2018). The captioner fails on the image if it gives any of them a higher probability
than any one of the human captions: there are d and g with P(d|I) > P(g|I). The paper finds 73 % of validation images
for the captioner of Anderson et al. (2018); it does not say whether log-probabilities are summed or averaged over words
(its figure 2 prints means), so both are reported.
"""

from collections.abc import Sequence
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

N_DISTRACTORS: Final = 5
IMAGES_AT_ONCE: Final = 64
WAYS: Final = ("mean", "sum")
"""How the log-probabilities of words are put together: `mean` over words and the end, or `sum`."""


@dataclass(frozen=True, slots=True)
class Distractor:
    """One of the most frequent captions.

    Attributes:
        caption: Its tokens.
        n_training: How often it occurs in the training captions.
        n_kept: The number of images for which it was kept.
        n_preferred: For each of `WAYS`, the number of these images where it is more likely than a human caption.
    """

    caption: str
    n_training: int
    n_kept: int
    n_preferred: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DistractorReport:
    """The result of the probe.

    Attributes:
        captioner: The id of the captioner.
        note: The remark of the images; empty if none.
        n_images: The number of images.
        n_probed: The number of images with a distractor that names an absent object.
        n_fooled: For each of `WAYS`, the number of images where a kept distractor is more likely than a human caption.
        distractors: The distractors, the most frequent ones first.
    """

    captioner: str
    note: str
    n_images: int
    n_probed: int
    n_fooled: tuple[int, ...]
    distractors: tuple[Distractor, ...]

    def get_share(self, way: str) -> float:
        """Return the share of all images where a distractor wins, the number of the paper; NaN without images."""
        return self.n_fooled[WAYS.index(way)] / self.n_images if self.n_images else float("nan")

    def get_interval(self, way: str) -> tuple[float, float]:
        """Return Wilson's 95 % interval of the share."""
        return bound_share(self.n_fooled[WAYS.index(way)], self.n_images)


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
        CaptionerError: The captioner gives no probabilities, or there are no training captions.
        BadCaptions: It returns a value that is not a log-probability.
    """
    frequent = find_frequent_captions(training_captions, n=n_distractors)
    if not frequent:
        raise CaptionerError("the distractor probe needs training captions, got none")
    is_kept = _find_wrong(frequent, data)
    is_likelier = np.zeros((len(WAYS), *is_kept.shape), dtype=np.bool_)
    starts = range(0, len(data), IMAGES_AT_ONCE)
    for start in track(starts, total=len(starts), label="distractors"):
        rows = np.arange(start, min(start + IMAGES_AT_ONCE, len(data)))
        is_likelier[:, rows] = _compare(captioner, data.select(rows), [each.caption for each in frequent])
    wins = is_likelier & is_kept
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
    )


def _find_wrong(frequent: Sequence[FrequentCaption], data: CaptionedImages) -> NDArray[np.bool_]:
    """Return `(n_images, n_distractors)`: whether a distractor names an object that is not in the image."""
    named = [frozenset(row) for row in find_coco_objects([each.caption for each in frequent])]
    found = iter(find_coco_objects(list(chain.from_iterable(data.captions))))
    known = data.images.objects or ((),) * len(data)
    present = [
        frozenset(objects).union(*(next(found) for _ in captions))
        for objects, captions in zip(known, data.captions, strict=True)
    ]
    return np.array([[not objects <= there for objects in named] for there in present], dtype=np.bool_)


def _compare(captioner: Captioner, data: CaptionedImages, distractors: Sequence[str]) -> NDArray[np.bool_]:
    """Return `(n_ways, n_images, n_distractors)`: whether a distractor is more likely than any human caption."""
    human_rows = np.repeat(np.arange(len(data)), [len(captions) for captions in data.captions])
    rows = np.concatenate([human_rows, np.repeat(np.arange(len(data)), len(distractors))])
    captions = [*chain.from_iterable(data.captions), *list(distractors) * len(data)]
    scores = run_scores(captioner, data.images.select(rows), captions)
    by_way: dict[str, Floats] = {"mean": scores.means, "sum": scores.log_probabilities}
    compared = []
    for way in WAYS:
        least = np.full(len(data), np.inf)
        np.minimum.at(least, human_rows, by_way[way][: len(human_rows)])
        likelihoods = by_way[way][len(human_rows) :].reshape(len(data), len(distractors))
        compared.append(likelihoods > least[:, None])
    return np.stack(compared)
