"""The accuracy of several captions of each image: the best (an oracle) and the average, and their diversity.

Wang et al. (2020), "On diversity in image captioning: metrics and methods", table 2: of k captions of an image the best
one by a metric, chosen with knowledge of the references, is an upper bound; the average is what a single caption is
worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from captioning.selection.scoring import CandidateScores
from metrics_plugins.api import Batch
from metrics_plugins.metrics.diversity.kernels import ORDER, SIGMA
from metrics_plugins.metrics.diversity.self_cider import FittedSelfCider
from metrics_plugins.metrics.ngram.cider import FittedCiderD
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies
from metrics_plugins.text.plugin import PtbTokenizer
from metrics_plugins.text.ptb import tokenizer as ptb


@dataclass(frozen=True, slots=True)
class BestOf:
    """The result of one metric for the first k captions of each image.

    Attributes:
        metric: Its id.
        k: The number of captions.
        best: The score of the system that gives the best caption of each image.
        average: The mean, over the k positions, of the score of the system that gives the caption at this position.
    """

    metric: str
    k: int
    best: float
    average: float


@dataclass(frozen=True, slots=True)
class Diversity:
    """Accuracy and diversity of the captions of images.

    Attributes:
        accuracy: The mean CIDEr-D, which published tables call CIDEr, of all captions; of people, of each caption
            against the others of its image.
        self_cider: The mean Self-CIDEr over images, in [0, 1]; NaN if no image has two captions.
    """

    accuracy: float
    self_cider: float


def tabulate_best(scores: Sequence[CandidateScores], *, ks: Sequence[int]) -> tuple[BestOf, ...]:
    """Return best and average for each metric and each k, in this order.

    The captions of an image count in the order given, which must be that of drawing them; at k = 1 best and average
    both are the ordinary score of the system. The best caption is that of the best score by itself; the scores of
    systems are the metric's own: corpus BLEU-4 is computed from totals, not averaged over images.

    Raises:
        ValueError: A k is not from 1 to the number of captions.
    """
    rows: list[BestOf] = []
    for each in scores:
        n_images, n = each.values.shape
        averages = [each.summarize(np.full(n_images, column, dtype=np.int64)) for column in range(n)]
        for k in ks:
            if not 1 <= k <= n:
                raise ValueError(f"k must be from 1 to the number of captions, {n}, got {k}")
            first = CandidateScores(each.metric, each.values[:, :k], each.statistics)
            best = each.summarize(first.find_best())
            rows.append(BestOf(each.metric.info.id, k, best, float(np.mean(averages[:k]))))
    return tuple(rows)


def measure_diversity(
    captions: Sequence[Sequence[str]], references: Sequence[Sequence[str]], *, documents: DocumentFrequencies
) -> Diversity:
    """Return accuracy and Self-CIDEr of captions: `(n_images,)` rows of captions, and of references.

    Args:
        captions: The captions of each image; their numbers may differ.
        references: The references of each image.
        documents: The document frequencies of both measures, as from `dpp.count_references`.
    """
    pairs = [(row, text) for row, texts in enumerate(captions) for text in texts]
    candidates = [text for _, text in pairs]
    return _measure(captions, candidates, [references[row] for row, _ in pairs], documents=documents)


def measure_people(references: Sequence[Sequence[str]], *, documents: DocumentFrequencies) -> Diversity:
    """Return the same of human captions, each compared with the others of its image (leave-one-out)."""
    pairs = [(texts, place) for texts in references for place in range(len(texts)) if len(texts) > 1]
    others = [[*texts[:place], *texts[place + 1 :]] for texts, place in pairs]
    return _measure(references, [texts[place] for texts, place in pairs], others, documents=documents)


def _measure(
    sets: Sequence[Sequence[str]],
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    documents: DocumentFrequencies,
) -> Diversity:
    tokenizer = PtbTokenizer(name="ptb", version=ptb.VERSION)
    pairs = Batch.make(map(str, range(len(candidates))), candidates=candidates, references=references)
    grouped = Batch.make(map(str, range(len(sets))), caption_sets=sets)
    cider = FittedCiderD(tokenizer=tokenizer, df=documents, n=ORDER, sigma=SIGMA)
    self_cider = FittedSelfCider(tokenizer=tokenizer, documents=documents)
    return Diversity(accuracy=cider.score(pairs).mean, self_cider=self_cider.score(grouped).mean)
