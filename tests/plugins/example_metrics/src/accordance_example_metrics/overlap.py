"""A segment-level metric computed from sums."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, DecomposableMetric, Input, Level, MetricInfo, parameter
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer


@dataclass(frozen=True, kw_only=True)
class WordOverlap(DecomposableMetric):
    """The share of a candidate's words that stand in one of its references; 0 for a candidate without words.

    Words with fewer than `min_letters` letters are not counted.
    """

    info: ClassVar[MetricInfo] = MetricInfo(
        id="word-overlap",
        title="Word overlap",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        bounds=(0.0, 1.0),
        version="1",
        citation="An example",
    )
    n_statistics: ClassVar[int] = 2

    tok: Tokenizer = tokenizer_parameter("letters")
    min_letters: int = parameter(1)

    def statistics(self, batch: Batch) -> npt.NDArray[np.float64]:
        """Return the number of words found and of all words."""
        name = ("example words", self.tok.name, self.tok.version, self.min_letters)
        words = batch.derive_texts(name, lambda texts: [self._split(line) for line in self.tok.tokenize(texts)])
        counts = np.zeros((len(batch), self.n_statistics))
        for row, (candidate, references) in enumerate(zip(batch.candidate_rows, batch.reference_rows, strict=True)):
            known = {word for reference in references for word in words[reference]}
            counts[row] = sum(word in known for word in words[candidate]), len(words[candidate])
        return counts

    def reduce(self, totals: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return found / all."""
        found, n_words = totals[..., 0], totals[..., 1]
        shares: npt.NDArray[np.float64] = found / np.maximum(n_words, 1.0)
        return shares

    def _split(self, line: str) -> list[str]:
        return [word for word in line.split() if len(word) >= self.min_letters]
