"""ROUGE-L: the longest common subsequence of the candidate and a reference."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.ngram.cards import ROUGE_L
from metrics_plugins.text.tokens import TokenTable, derive_tokens

BETA: Final = 1.2
_CODE_POINTS: Final = 0x110000


@dataclass(frozen=True, kw_only=True)
class RougeL(Metric):
    """F-measure of the longest common subsequence with beta = 1.2 (Lin, 2004, equations 2 to 4).

    As in the COCO caption evaluation, recall and precision are each the largest over the references, possibly of
    different ones, and tokens are split only at spaces: a candidate without tokens is one empty token, and scores 0
    unless a reference has no tokens either. A row without references has no score (NaN).
    """

    info = MetricInfo(
        id="rouge-l",
        title="ROUGE-L",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="Lin (2004), ROUGE: a package for automatic evaluation of summaries",
        card=ROUGE_L,
    )

    tokenizer: Tokenizer = tokenizer_parameter()

    def describe(self) -> dict[str, SignatureValue]:
        return {**super().describe(), "beta": BETA}

    def score(self, batch: Batch) -> Scores:
        tokens = derive_tokens(batch, self.tokenizer)
        references = batch.reference_rows
        rows = references.row_of_value
        candidates = batch.candidate_rows[rows]
        common = measure_common_subsequences(tokens, candidates, references.values)
        precision = take_largest(common / tokens.lengths[candidates], rows, n_rows=len(batch))
        recall = take_largest(common / tokens.lengths[references.values], rows, n_rows=len(batch))
        values = measure_f(precision, recall)
        values[references.lengths == 0] = np.nan
        return Scores(keys=batch.keys, values=values)


def measure_common_subsequences(
    tokens: TokenTable, firsts: npt.NDArray[np.int64], seconds: npt.NDArray[np.int64], *, limit: int = _CODE_POINTS
) -> npt.NDArray[np.int32]:
    """Return `(n_pairs,)`: the length of the longest common subsequence of each pair of captions.

    Args:
        tokens: The captions.
        firsts: `(n_pairs,)` one caption of each pair.
        seconds: `(n_pairs,)` the other.
        limit: The number of distinct words above which captions are compared as lists of numbers, which is slower,
            because there are not enough characters.
    """
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cpdist

    spelled = _spell(tokens) if len(tokens.words) <= limit else _list_numbers(tokens)
    pairs = [spelled[text] for text in firsts], [spelled[text] for text in seconds]
    lengths: npt.NDArray[np.int32] = cpdist(*pairs, scorer=LCSseq.similarity, dtype=np.int32)
    return lengths


def _spell(tokens: TokenTable) -> list[str]:
    # Each word is encoded as one character, so that captions can be compared as strings.
    letters = tokens.ids.astype("<u4").tobytes().decode("utf-32-le", errors="surrogatepass")
    return [letters[start:stop] for start, stop in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)]


def _list_numbers(tokens: TokenTable) -> list[list[int]]:
    numbers = tokens.ids.tolist()
    return [numbers[start:stop] for start, stop in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)]


def measure_f(precision: Values, recall: Values) -> Values:
    """Return `(n_rows,)`: the F-measure with beta = 1.2; 0 if precision and recall are 0."""
    values = np.zeros(len(precision))
    np.divide((1 + BETA**2) * precision * recall, recall + BETA**2 * precision, out=values, where=precision > 0)
    return values


def take_largest(values: Values, rows: npt.NDArray[np.int64], *, n_rows: int) -> Values:
    """Return `(n_rows,)`: the largest of each row's values, which must not be negative; 0 for a row without values."""
    largest = np.zeros(n_rows)
    np.maximum.at(largest, rows, values)
    return largest
