"""A segment-level metric that is a function of sums."""

from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, BuildContext, DecomposableMetric, Input, Level, MetricInfo
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.signature import SignatureValue


class WordOverlap(DecomposableMetric):
    """The share of a candidate's words that stand in one of its references; 0 for a candidate without words."""

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

    def __init__(self, tokenizer: Tokenizer, *, min_letters: int) -> None:
        self._tokenizer = tokenizer
        self._min_letters = min_letters

    @classmethod
    def build(cls, context: BuildContext, *, tok: str = "letters", min_letters: int = 1) -> Self:
        """Return the metric; words with fewer letters are not counted."""
        return cls(context.get_tokenizer(tok), min_letters=min_letters)

    def describe(self) -> Mapping[str, SignatureValue]:
        """Return the parameters."""
        return {"tok": self._tokenizer.name, "min_letters": self._min_letters}

    def statistics(self, batch: Batch) -> npt.NDArray[np.float64]:
        """Return the number of words found and of all words."""
        name = ("example words", self._tokenizer.name, self._tokenizer.version, self._min_letters)
        words = batch.derive_texts(name, lambda texts: [self._split(line) for line in self._tokenizer.tokenize(texts)])
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
        return [word for word in line.split() if len(word) >= self._min_letters]
