"""The 23 statistics of METEOR 1.5 for pairs of captions, and the score computed from them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.meteor.captions import CaptionTable
from metrics_plugins.metrics.meteor.matching import AlignmentTable, cut_pairs, match_pairs
from metrics_plugins.metrics.meteor.relations import RelationTable
from metrics_plugins.metrics.meteor.search import Alignments, align_pairs

Int64 = npt.NDArray[np.int64]

N_STATISTICS = 23
N_STAGES = 4
_LENGTHS = 4
CHUNKS = _LENGTHS + 4 * N_STAGES


@dataclass(frozen=True, slots=True)
class MeteorWeights:
    """The parameters of the formula.

    Attributes:
        alpha: The weight of recall against precision.
        beta: The exponent of fragmentation.
        gamma: The largest penalty for fragmentation.
        delta: The weight of a content word; a function word has the weight 1 - delta.
        stages: The weights of matched words, by stage: exact, stem, synonym, paraphrase.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    stages: tuple[float, float, float, float]


def count_pairs(
    captions: CaptionTable, relations: RelationTable, candidates: Int64, references: Int64, *, weights: MeteorWeights
) -> Values:
    """Return `(n_pairs, 23)`, each number first for the candidate and then for the reference, except the chunks.

    The columns are: words; function words; for each stage the matched content words, then the matched function words;
    chunks; all matched words.
    """
    counts = np.zeros((len(candidates), N_STATISTICS))
    stage_weights = np.array(weights.stages)
    for rows in cut_pairs(captions, candidates, references):
        matches = match_pairs(captions, relations, candidates[rows], references[rows])
        counts[rows] = _count(captions, matches, align_pairs(captions, matches, weights=stage_weights))
    return counts


def _count(captions: CaptionTable, matches: AlignmentTable, alignments: Alignments) -> Values:
    n_pairs, chosen = len(matches.candidates), alignments.matches
    stages = matches.pairs[chosen] * N_STAGES + matches.stages[chosen]
    sides = []
    for texts, starts, lengths in (
        (matches.candidates, matches.candidate_starts[chosen], matches.candidate_lengths[chosen]),
        (matches.references, matches.reference_starts[chosen], matches.reference_lengths[chosen]),
    ):
        firsts = captions.tokens.offsets[texts][matches.pairs[chosen]] + starts
        n_function = captions.function_counts[firsts + lengths] - captions.function_counts[firsts]
        content, function = (
            np.bincount(stages, weights=column, minlength=n_pairs * N_STAGES).reshape(n_pairs, N_STAGES)
            for column in (lengths - n_function, n_function)
        )
        sides.append((content, function))
    (content_1, function_1), (content_2, function_2) = sides
    by_stage = np.stack([content_1, content_2, function_1, function_2], axis=2).reshape(n_pairs, 4 * N_STAGES)
    matched = [(content + function).sum(axis=1) for content, function in sides]
    texts_by_side = (matches.candidates, matches.references)
    n_words = [captions.n_words[texts] for texts in texts_by_side]
    function_words = np.diff(captions.function_counts[captions.tokens.offsets])
    n_function_words = [function_words[texts] for texts in texts_by_side]
    return np.column_stack([*n_words, *n_function_words, by_stage, alignments.chunks, *matched])


def clear_perfect_chunks(counts: Values) -> Values:
    """Return the statistics with 0 chunks for pairs whose words all match in one chunk, which have no penalty."""
    is_perfect = (counts[:, :2] == counts[:, -2:]).all(axis=1) & (counts[:, CHUNKS] == 1)
    cleared = counts.copy()
    cleared[is_perfect, CHUNKS] = 0
    return cleared


def score_statistics(totals: Values, weights: MeteorWeights) -> Values:
    """Return the scores `(...)` of statistics or their sums `(..., 23)`; 0 without matches, NaN for NaN."""
    columns = np.moveaxis(totals, -1, 0)
    stages = columns[_LENGTHS:CHUNKS].reshape(N_STAGES, 4, *columns.shape[1:])
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = _sum_stages(stages[:, 0], stages[:, 2], weights) / _weigh(columns[0], columns[2], weights)
        recall = _sum_stages(stages[:, 1], stages[:, 3], weights) / _weigh(columns[1], columns[3], weights)
        mean = 1 / ((1 - weights.alpha) / precision + weights.alpha / recall)
        fragmentation = columns[CHUNKS] / ((columns[-2] + columns[-1]) / 2)
    scores = np.maximum(mean * (1 - weights.gamma * _raise(fragmentation, weights.beta)), 0)
    return np.where(np.isnan(scores) & ~np.isnan(columns[0]), 0, scores)


def _sum_stages(content: Values, function: Values, weights: MeteorWeights) -> Values:
    total = np.zeros(content.shape[1:])
    for words, weight in zip(content, weights.stages, strict=True):
        total = total + words * weight * weights.delta
    for words, weight in zip(function, weights.stages, strict=True):
        total = total + words * weight * (1 - weights.delta)
    return total


def _weigh(n_words: Values, n_function_words: Values, weights: MeteorWeights) -> Values:
    weighed: Values = weights.delta * (n_words - n_function_words) + (1 - weights.delta) * n_function_words
    return weighed


def _raise(values: Values, power: float) -> Values:
    # Number by number, because the rounding of a power of an array depends on the position in it.
    return np.array([value**power for value in values.ravel().tolist()]).reshape(values.shape)
