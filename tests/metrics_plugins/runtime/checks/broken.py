"""Metrics that each violate one clause of the contract."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from metrics_plugins.api import Batch, BuildContext, FitsOn, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.signature import SignatureValue
from tests.metrics_plugins.api.examples import Critic, FittedCritic, FittedRarity, Rarity, Recall, Words, make_info

CANDIDATE_AND_REFERENCES = frozenset({Input.CANDIDATE, Input.REFERENCES})


class ReadsUndeclared(Words):
    """Reads the references through the view."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [len(texts) for texts in batch.references])


class PeeksAtTexts(Words):
    """Counts the words of all captions of the batch, whichever column they stand in."""

    def score(self, batch: Batch) -> Scores:
        n_words = batch.derive_texts("all words", lambda texts: len({word for text in texts for word in text.split()}))
        return Scores.make(batch.keys, np.full(len(batch), n_words))


class PeeksWhileFitting(Rarity):
    """Fits on references, and counts candidates too."""

    def fit(self, batch: Batch, targets: object, rng: np.random.Generator) -> Metric:
        from collections import Counter

        return FittedRarity(batch.derive_texts("counts", lambda texts: Counter(" ".join(texts).split())))


class SegmentWithoutCandidate(Metric):
    """Claims to score candidates, and reads only references."""

    info: ClassVar[MetricInfo] = make_info("no-candidate", inputs=frozenset({Input.REFERENCES}))

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [len(" ".join(texts)) for texts in batch.references])


class SetWithCandidate(Words):
    """Claims to score caption sets, and reads candidates."""

    info: ClassVar[MetricInfo] = make_info("set-with-candidate", level=Level.SET)


class ManyForCorpus(Words):
    """Claims to score a system, and gives a score for each row."""

    info: ClassVar[MetricInfo] = make_info("many", level=Level.CORPUS)


class OwnKeys(Words):
    """Numbers the rows itself."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make([f"image-{2 * row + 1}" for row in range(len(batch))], super().score(batch).values)


class OutOfBounds(Words):
    """Declares shares, and gives counts."""

    info: ClassVar[MetricInfo] = make_info("out-of-bounds", bounds=(0.0, 0.5))

    def score(self, batch: Batch) -> Scores:
        values = super().score(batch).values
        return Scores.make(batch.keys, np.where(values > 4, 2.0, 0.0))


class DividesByWords(Words):
    """Gives an infinite score for a caption without a word."""

    def score(self, batch: Batch) -> Scores:
        with np.errstate(divide="ignore"):
            return Scores.make(batch.keys, 1.0 / super().score(batch).values)


class OnlyMissing(Words):
    """Never gives a score."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, np.full(len(batch), np.nan))


class RanksRows(Words):
    """Adds the number of the row."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, super().score(batch).values + np.arange(len(batch)))


class ComparesRows(Words):
    """Divides by the largest score of the batch."""

    def score(self, batch: Batch) -> Scores:
        values = super().score(batch).values
        return Scores.make(batch.keys, values / max(values.max(), 1.0))


class CountsCalls(Words):
    """Adds the number of times it was asked."""

    def __init__(self) -> None:
        self.n_calls = 0

    def score(self, batch: Batch) -> Scores:
        self.n_calls += 1
        return Scores.make(batch.keys, super().score(batch).values + self.n_calls)


class SpoilsBatch(Words):
    """Sorts the rows of the batch in place, after scoring."""

    def score(self, batch: Batch) -> Scores:
        scores = super().score(batch)
        batch.candidate_rows[:] = np.sort(batch.candidate_rows)[::-1]
        return scores


class SpoilsTargets(Critic):
    """Centres the targets in place."""

    def fit(self, batch: Batch, targets: Any, rng: np.random.Generator) -> Metric:
        fitted = super().fit(batch, targets, rng)
        targets -= targets.mean()
        return fitted


class NeedsWords(Words):
    """Divides by the number of words."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [1 / len(text.split()) for text in batch.candidates])


class NeedsTwoWords(Words):
    """Looks at the second word."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [len(text.split()[1]) if text.split() else 0 for text in batch.candidates])


class NeedsAscii(Words):
    """Encodes captions as ASCII."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [len(text.encode("ascii")) for text in batch.candidates])


class CountsLines(Words):
    """Joins captions by line breaks and splits them again at every break that Python knows."""

    def score(self, batch: Batch) -> Scores:
        lines = "\n".join(batch.candidates).splitlines() + [""] * len(batch)
        return Scores.make(batch.keys, [len(line) for line in lines[: len(batch)]])


class NeedsReferences(Recall):
    """Takes the first reference."""

    info: ClassVar[MetricInfo] = make_info("needs-references", inputs=CANDIDATE_AND_REFERENCES, bounds=(0.0, 1.0))

    def statistics(self, batch: Batch) -> np.ndarray:
        return np.asarray([(0.0, len(texts[0])) for texts in batch.references])


class PositionalParameter(Words):
    """Takes a parameter without default."""

    @classmethod
    def build(cls, context: BuildContext, scale: float = 1.0) -> Self:
        return cls()

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"scale": 1.0}


class HiddenParameter(Recall):
    """Prints nothing of its parameter."""

    def describe(self) -> Mapping[str, SignatureValue]:
        return {}


class FrozenParameter(Recall):
    """Prints the parameter's default whatever it is."""

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"power": 1}


class HoldsLambda(Words):
    """Cannot be pickled."""

    def __init__(self) -> None:
        self.count = lambda text: len(text.split())


class LearnsNothing(Rarity):
    """A Fittable that does not say on what it fits."""

    info: ClassVar[MetricInfo] = make_info("rarity", bounds=(0.0, 1.0))

    def fit(self, batch: Batch, targets: object, rng: np.random.Generator) -> Metric:
        fitted = Words()
        fitted.info = self.info
        fitted.score = lambda batch: Scores.make(batch.keys, np.zeros(len(batch)))
        return fitted


class FitsItself(Rarity, FittedRarity):
    """Is its own fitted metric, so that a second fit changes the first."""

    info: ClassVar[MetricInfo] = Rarity.info

    def __init__(self) -> None:
        self.counts = {}

    def fit(self, batch: Batch, targets: object, rng: np.random.Generator) -> Metric:
        self.counts = super().fit(batch, targets, rng).counts
        return self


class OtherInfo(Rarity):
    """Returns a metric with another id."""

    def fit(self, batch: Batch, targets: object, rng: np.random.Generator) -> Metric:
        fitted = super().fit(batch, targets, rng)
        fitted.__class__ = type("Other", (FittedRarity,), {"info": make_info("other", fits_on=FitsOn.REFERENCES)})
        return fitted


class HidesKeys(Critic):
    """Learns from judgments, and tells of none."""

    def fit(self, batch: Batch, targets: Any, rng: np.random.Generator) -> Metric:
        return FittedCritic(float(targets.mean()), keys=frozenset())


class OtherScore(Recall):
    """Scores in another way than it reduces."""

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, super().score(batch).values / 2)


class OpensText(Words):
    """Reads a file that a parameter of plain text names."""

    def __init__(self, words: str = "") -> None:
        self.words = words

    @classmethod
    def build(cls, context: BuildContext, *, words: str = "") -> Self:
        if words:
            words = Path(words).read_text(encoding="utf-8")
        return cls(words)

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"words": self.words}
