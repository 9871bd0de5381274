"""Word agreement: how often people use the same word for the same image.

Chen et al. (2015), "Microsoft COCO Captions: Data Collection and Evaluation Server", section on human agreement.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

Tokenize = Callable[[Sequence[str]], Sequence[str]]

N_REFERENCES = 4
"""The k of the paper's figure."""


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """The numbers of captions of each image that contain each word.

    Attributes:
        n_references: The k of the model: the number of other captions with which a caption of an image is compared.
        by_image: The words of each image, with the number of its k + 1 captions that contain the word, 1 to k + 1.
        by_word: For each word `(k + 1,)`: the number of images with the word in 1, 2, ..., k + 1 captions.
        n_dropped: The number of images with fewer than k + 1 captions.
    """

    n_references: int
    by_image: Mapping[str, Mapping[str, int]]
    by_word: Mapping[str, tuple[int, ...]]
    n_dropped: int


@dataclass(frozen=True, slots=True)
class WordAgreement:
    """The human agreement on one word, and a model of it.

    Attributes:
        word: The word in lower case.
        n_references: The k of the model.
        n_images: The number of images with the word in at least one caption.
        precision: Hp, in [0, 1]: the share of a caption's uses of the word that a reference confirms; a use counts once
            for each reference with the word, or once as wrong if there is none.
        recall: Hr, in [0, 1]: the share of the references' uses of the word that the caption has too.
        probability: p, in [0, 1]: the fitted probability that a person uses the word for an image to which it applies;
            it is also the recall that the model predicts.
    """

    word: str
    n_references: int
    n_images: int
    precision: float
    recall: float
    probability: float

    @property
    def model_precision(self) -> float:
        """The precision predicted by the model: pk / (pk + (1 - p)^k)."""
        return model_precision(self.probability, n_references=self.n_references)


def count_words(
    references: Mapping[str, Sequence[str]],
    *,
    n_references: int = N_REFERENCES,
    tokenize: Tokenize = tokenize_captions,
) -> WordCounts:
    """Count the words of the first k + 1 captions of each image; a word counts once per caption.

    Args:
        references: The captions of each image, by its id. Images with fewer than k + 1 are left out and counted.
        n_references: k, at least 1.
        tokenize: Returns a line for each caption with its words joined by spaces; by default the tokens of the COCO
            caption evaluation.

    Raises:
        ProbeError: k is less than 1, or no image has k + 1 captions.
    """
    if n_references < 1:
        raise ProbeError(f"word agreement needs at least 1 reference, got {n_references}")
    size = n_references + 1
    kept = {image_id: texts[:size] for image_id, texts in references.items() if len(texts) >= size}
    if not kept:
        raise ProbeError(f"word agreement with {n_references} references needs an image with {size} captions, got none")
    words = split_words([text for texts in kept.values() for text in texts], tokenize)
    by_image = {
        image_id: Counter(word for own in words[place : place + size] for word in own)
        for image_id, place in zip(kept, range(0, len(words), size), strict=True)
    }
    by_word: dict[str, list[int]] = {}
    for counts in by_image.values():
        for word, count in counts.items():
            by_word.setdefault(word, [0] * size)[count - 1] += 1
    return WordCounts(
        n_references=n_references,
        by_image=by_image,
        by_word={word: tuple(images) for word, images in by_word.items()},
        n_dropped=len(references) - len(kept),
    )


def split_words(captions: Sequence[str], tokenize: Tokenize) -> list[frozenset[str]]:
    """Return the distinct words of each caption."""
    return [frozenset(line.split()) for line in tokenize(captions)]


def measure_word_agreement(counts: WordCounts, words: Iterable[str] | None = None) -> tuple[WordAgreement, ...]:
    """Compare each of the k + 1 captions of every image in turn with the k others, word by word.

    Args:
        counts: The words of people.
        words: The words to measure; by default all, in the order of `rank_words`.

    Raises:
        ProbeError: A word is in no caption.
    """
    return tuple(_measure_word(word, counts) for word in (rank_words(counts) if words is None else words))


def rank_words(counts: WordCounts) -> list[str]:
    """Return all words, those of most images first, ties in alphabetical order."""
    return sorted(counts.by_word, key=lambda word: (-sum(counts.by_word[word]), word))


def _measure_word(word: str, counts: WordCounts) -> WordAgreement:
    if word not in counts.by_word:
        raise ProbeError(f"word {word!r} is in none of the captions of {len(counts.by_image)} images")
    images = counts.by_word[word]
    k = counts.n_references
    # In an image with the word in m captions, each of these m finds it in m - 1 references.
    confirmed = sum(n_images * m * (m - 1) for m, n_images in enumerate(images, start=1))
    held = sum(n_images * m * k for m, n_images in enumerate(images, start=1))
    return WordAgreement(
        word=word,
        n_references=k,
        n_images=sum(images),
        precision=confirmed / (confirmed + images[0]),
        recall=confirmed / held,
        probability=fit_probability(images),
    )


def model_precision(probability: float, *, n_references: int) -> float:
    """Return the precision predicted by the model for a word used with probability p: pk / (pk + (1 - p)^k)."""
    right = probability * n_references
    return right / (right + (1 - probability) ** n_references)


def fit_probability(images: Sequence[int]) -> float:
    """Return the maximum-likelihood estimate of p from the counts of one word.

    In the model each of n people uses the word with probability p if it applies to the image. If nobody used the word,
    it is unknown whether it applies, so the counts follow a zero-truncated binomial distribution. Maximum likelihood
    uses every count and needs no weights between precision and recall, unlike a least-squares fit to these two ratios.
    The estimate solves np / (1 - (1 - p)^n) = mean count.

    Args:
        images: `(n,)`: the number of images with the word in 1, 2, ..., n captions; not all 0.

    Returns:
        p in [0, 1]: 0 if no image has the word in two captions, 1 if every image has it in all.
    """
    n = len(images)
    mean = sum(m * n_images for m, n_images in enumerate(images, start=1)) / sum(images)
    if mean in (1, n):
        return float(mean > 1)
    # The expected count rises with p, from 1 at 0 to n at 1; 60 bisections reach the precision of floats.
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if n * middle < mean * (1 - (1 - middle) ** n):
            low = middle
        else:
            high = middle
    return (low + high) / 2
