"""Re-rank the captions of a beam by mutual information, so that captions become less generic.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 5: of the k captions that a captioner
finds by beam search, choose argmax log P(s|I) - lambda log P(s), where P(s) comes from a language model: of unigrams,
an LSTM, or their log-linear interpolation, log P = alpha log P_unigram + (1 - alpha) log P_LSTM (equation 10, summed
over words and not normalised). The weights are those with the highest geometric mean of six metrics on a validation
split (section 6 and footnote 11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from captioning.api.captions import CaptionBatch, Floats
from captioning.networks.language_model import LanguageModel
from captioning.selection.scoring import CandidateScores, Rows

METRICS: Final = ("bleu-4", "meteor", "cider-d", "chair-s", "spice", "spice-u")
"""The metrics of the geometric mean, in the order of table 3; `cider-d` is what the table calls CIDEr."""

LOWER_IS_BETTER: Final = frozenset({"chair-s"})
STEPS: Final = tuple(step / 10 for step in range(11))
"""The values of lambda and alpha: 0 to 1 in steps of 0.1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of re-ranking.

    Attributes:
        penalty: Lambda, the weight of the language model; 0 leaves the order of the beam.
        unigram_share: Alpha, the share of the unigram model; 1 is the unigram model alone, 0 the LSTM alone.
    """

    penalty: float
    unigram_share: float


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCaptions:
    """The captions of a beam with their log-probabilities under the captioner and two language models.

    Attributes:
        captions: `(n_images, n)`: the captions of each image, in the order of the beam.
        given_image: `(n_images, n)`: log P(s|I), of the whole caption with its end.
        unigram: `(n_images, n)`: log P(s) of the unigram model.
        lstm: `(n_images, n)`: log P(s) of the LSTM.
    """

    captions: tuple[tuple[str, ...], ...] = field(repr=False)
    given_image: Floats
    unigram: Floats
    lstm: Floats

    def rerank(self, weights: Weights) -> Rows:
        """Return `(n_images,)`: the position of the chosen caption; the first one in the beam of equal ones."""
        language = weights.unigram_share * self.unigram + (1 - weights.unigram_share) * self.lstm
        chosen: Rows = np.argmax(self.given_image - weights.penalty * language, axis=1).astype(np.int64)
        return chosen

    def choose(self, weights: Weights) -> tuple[str, ...]:
        """Return `(n_images,)`: the chosen caption of each image."""
        return tuple(texts[place] for texts, place in zip(self.captions, self.rerank(weights), strict=True))


@dataclass(frozen=True, slots=True)
class TableRow:
    """The metrics of one system, on the scale of published tables: percent, CIDEr-D times 100.

    Attributes:
        values: By metric, in the order of `METRICS`.
    """

    values: Mapping[str, float]

    @property
    def geometric_mean(self) -> float:
        """The geometric mean of the metrics, where lower is better for CHAIRs, so that its reciprocal counts.

        It reproduces the twelve rows of table 3. NaN if a metric is undefined, or if CHAIRs is 0.
        """
        return compute_geometric_mean(self.values)


@dataclass(frozen=True, eq=False)
class Grid:
    """The results of all combinations of weights.

    Attributes:
        rows: The row of each combination, ascending by penalty, then by share.
    """

    rows: Mapping[Weights, TableRow]

    def find_best(self, *, unigram_share: float | None = None) -> Weights:
        """Return the weights of the highest geometric mean; of equal ones, those with the smallest penalty.

        Args:
            unigram_share: Only combinations with this share: 1 for the unigram model, 0 for the LSTM; None for all.

        Raises:
            ValueError: The geometric mean of all these combinations is undefined.
        """
        shares = self._shares if unigram_share is None else [unigram_share]
        means = {weights: row for weights, row in self._means.items() if weights.unigram_share in shares}
        defined = {weights: mean for weights, mean in means.items() if not np.isnan(mean)}
        if not defined:
            raise ValueError(
                f"the geometric mean is undefined for all {len(means)} combinations of weights: there are too few "
                f"images, so that CHAIRs is 0 or a metric has no value"
            )
        # The first of equal ones has the smallest penalty, because of the order of rows.
        return max(defined, key=lambda weights: defined[weights])

    @cached_property
    def _means(self) -> Mapping[Weights, float]:
        return {weights: row.geometric_mean for weights, row in self.rows.items()}

    @cached_property
    def _shares(self) -> frozenset[float]:
        return frozenset(weights.unigram_share for weights in self.rows)


def score_language(beams: CaptionBatch, *, unigram: LanguageModel, lstm: LanguageModel) -> ScoredCaptions:
    """Return the captions of a beam with all probabilities; each distinct caption is scored once by each model.

    Raises:
        ValueError: A caption has no log-probability.
    """
    if np.isnan(beams.log_probabilities).any():
        raise ValueError("re-ranking needs the log-probabilities of captions, and some captions of the beam have none")
    distinct = {text: None for texts in beams.captions for text in texts}
    place_of = {text: place for place, text in enumerate(distinct)}
    places = np.array([[place_of[text] for text in texts] for texts in beams.captions], dtype=np.int64)
    lines = list(distinct)
    return ScoredCaptions(
        captions=beams.captions,
        given_image=beams.log_probabilities,
        unigram=np.asarray(unigram.score(lines), dtype=np.float64)[places],
        lstm=np.asarray(lstm.score(lines), dtype=np.float64)[places],
    )


def search_weights(
    scored: ScoredCaptions, scores: Sequence[CandidateScores], *, steps: Sequence[float] = STEPS
) -> Grid:
    """Return the metrics of re-ranking with all combinations of weights.

    No caption is scored in the search: `scores` has the score, or the statistics, of every caption of the beam.

    Args:
        scored: The captions of a validation split.
        scores: The scores of the same captions under `METRICS`, as from `score_candidates`.
        steps: The values of both weights, ascending.

    Raises:
        ValueError: A metric of `METRICS` is missing.
    """
    known: dict[bytes, TableRow] = {}
    rows: dict[Weights, TableRow] = {}
    for penalty in steps:
        for share in steps:
            weights = Weights(penalty=penalty, unigram_share=share)
            chosen = scored.rerank(weights)
            # Many combinations choose the same captions.
            key = chosen.tobytes()
            if key not in known:
                known[key] = tabulate(scores, chosen)
            rows[weights] = known[key]
    return Grid(rows)


def tabulate(scores: Sequence[CandidateScores], chosen: Rows) -> TableRow:
    """Return the metrics of the system that gives each image the caption at a position, `(n_images,)`.

    Raises:
        ValueError: A metric of `METRICS` is missing.
    """
    by_id = {each.metric.info.id: each for each in scores}
    missing = [name for name in METRICS if name not in by_id]
    if missing:
        raise ValueError(f"re-ranking needs the scores of {', '.join(METRICS)}; {', '.join(missing)} are missing")
    return TableRow({name: 100 * by_id[name].summarize(chosen) for name in METRICS})


def compute_geometric_mean(values: Mapping[str, float]) -> float:
    """Return the geometric mean of the metrics, with 1 / CHAIRs in place of CHAIRs (footnote 11).

    Args:
        values: By metric, in percent.

    Returns:
        0 or positive; NaN if a value is NaN, or if CHAIRs is 0.
    """
    inverted = LOWER_IS_BETTER & values.keys()
    if any(np.isnan(value) for value in values.values()) or any(values[name] == 0 for name in inverted):
        return float("nan")
    factors = [1 / value if name in inverted else value for name, value in values.items()]
    return float(np.prod(factors) ** (1 / len(factors)))
