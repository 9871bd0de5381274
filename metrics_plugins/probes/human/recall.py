"""Precision at human recall: how right a system is with a word where it says it as readily as people do.

Fang et al. (2015), "From captions to visual concepts and back"; Chen et al. (2015), "Microsoft COCO Captions".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan, nan

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.words import Tokenize, WordAgreement, WordCounts, measure_word_agreement, split_words
from metrics_plugins.text.ptb import tokenize_captions


@dataclass(frozen=True, slots=True)
class WordOfSystem:
    """One word of a system, beside the same word of people.

    Attributes:
        human: The agreement of people on it.
        n_images: Images for which the system says the word.
        precision: In [0, 1], over all images for which the system says the word; NaN if it never does.
        recall: In [0, 1], over the same images.
        precision_at_human_recall: In [0, 1]; NaN if the system's recall never reaches that of people, or theirs
            is 0: no image has the word in two human captions.
    """

    human: WordAgreement
    n_images: int
    precision: float
    recall: float
    precision_at_human_recall: float


def measure_human_recall(
    counts: WordCounts,
    captions: Mapping[str, Sequence[str]],
    *,
    words: Iterable[str] | None = None,
    tokenize: Tokenize = tokenize_captions,
) -> tuple[WordOfSystem, ...]:
    """Compare the words of a system with those of people.

    A system says a word for an image as surely as the share of its captions of that image that hold it. Images are
    taken from the surest down, those of equal sureness together, until the recall reaches that of people; the
    precision there is the precision at human recall. A system with one caption an image is sure or silent: it has one
    precision and one recall, and its precision counts where that recall reaches the human one. References are k of
    the k + 1 human captions, each k in turn, so that the numbers of people and systems are of one kind.

    Args:
        counts: The words of people.
        captions: The system's captions of each image of `counts`, by its id; others are not used.
        words: Which words; by default all of `counts`, those of most images first.
        tokenize: As for `counts`.

    Raises:
        ProbeError: An image has no caption of the system, or a word stands in no human caption.
    """
    sureness = _find_words(counts, captions, tokenize)
    return tuple(_measure_word(human, counts, sureness) for human in measure_word_agreement(counts, words))


def _find_words(
    counts: WordCounts, captions: Mapping[str, Sequence[str]], tokenize: Tokenize
) -> dict[str, dict[str, float]]:
    """Return for each word the images for which the system says it, with the share of its captions there."""
    owners: list[str] = []
    texts: list[str] = []
    for image_id in counts.by_image:
        own = captions.get(image_id, ())
        if not own:
            raise ProbeError(f"image {image_id} has references, but the system has no caption of it")
        owners += [image_id] * len(own)
        texts += own
    sureness: dict[str, dict[str, float]] = {}
    for image_id, words in zip(owners, split_words(texts, tokenize), strict=True):
        for word in words:
            shares = sureness.setdefault(word, {})
            shares[image_id] = shares.get(image_id, 0.0) + 1 / len(captions[image_id])
    return sureness


def _measure_word(
    human: WordAgreement, counts: WordCounts, sureness: Mapping[str, Mapping[str, float]]
) -> WordOfSystem:
    shares = sureness.get(human.word, {})
    k = human.n_references
    held = sum(n_images * m * k for m, n_images in enumerate(counts.by_word[human.word], start=1))
    confirmed = wrong = 0
    at_human_recall = nan
    # Rounded, so that sums of shares such as three tenths are equal however they were added.
    ranked = sorted(shares, key=lambda image_id: -round(shares[image_id], 9))
    for _, images in groupby(ranked, key=lambda image_id: round(shares[image_id], 9)):
        for image_id in images:
            m = counts.by_image[image_id].get(human.word, 0)
            # Summed over the k + 1 ways to leave one human caption out, as the human numbers are.
            confirmed += m * k
            wrong += k + 1 if m == 0 else int(m == 1)
        if isnan(at_human_recall) and confirmed / held >= human.recall > 0:
            at_human_recall = confirmed / (confirmed + wrong)
    return WordOfSystem(
        human=human,
        n_images=len(shares),
        precision=confirmed / (confirmed + wrong) if shares else nan,
        recall=confirmed / held,
        precision_at_human_recall=at_human_recall,
    )
