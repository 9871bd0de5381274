"""Precision at human recall: the precision of a system's words at the recall that people have.

Fang et al. (2015), "From captions to visual concepts and back"; Chen et al. (2015), "Microsoft COCO Captions".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan, nan

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.words import Tokenize, WordAgreement, WordCounts, measure_word_agreement, split_words
from metrics_plugins.text.ptb.tokenizer import tokenize_captions


@dataclass(frozen=True, slots=True)
class WordOfSystem:
    """The use of a word by a system, compared with people.

    Attributes:
        human: The human agreement on the word.
        n_images: The number of images for which the system uses the word.
        precision: In [0, 1], for all images for which the system uses the word; NaN if it never does.
        recall: In [0, 1], for the same images.
        precision_at_human_recall: In [0, 1]; NaN if the system's recall never reaches that of people, or theirs is 0
            because no image has the word in two human captions.
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

    The confidence of a system in a word for an image is the share of its captions of that image that contain the word.
    Images are added in order of decreasing confidence, those of equal confidence together, until the recall reaches
    that of people; the precision at this point is the precision at human recall. A system with one caption per image
    has only the confidence 1 or 0, so only one precision and recall; its precision counts if the recall reaches the
    human one. The references are k of the k + 1 human captions, each combination in turn, so that the numbers for
    people and systems are comparable.

    Args:
        counts: The words of people.
        captions: The system's captions of each image of `counts`, by its id; other images are not used.
        words: The words to compare; by default all of `counts`, those of most images first.
        tokenize: As for `counts`.

    Raises:
        ProbeError: The system has no caption of an image, or a word is in no human caption.
    """
    sureness = _find_words(counts, captions, tokenize)
    return tuple(_measure_word(human, counts, sureness) for human in measure_word_agreement(counts, words))


def _find_words(
    counts: WordCounts, captions: Mapping[str, Sequence[str]], tokenize: Tokenize
) -> dict[str, dict[str, float]]:
    """Return, for each word, the images for which the system uses it, with the share of its captions there."""
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
    # Rounded, because the sum of shares such as three tenths depends on the order of addition.
    ranked = sorted(shares, key=lambda image_id: -round(shares[image_id], 9))
    for _, images in groupby(ranked, key=lambda image_id: round(shares[image_id], 9)):
        for image_id in images:
            m = counts.by_image[image_id].get(human.word, 0)
            # Summed over the k + 1 ways to leave out one human caption, as for the human numbers.
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
