"""Small references, and small metrics whose scores can be counted by hand."""

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores

REFERENCES = {
    "dogs": ("a dog runs", "the dog runs fast", "a brown dog"),
    "cats": ("a cat sleeps", "two cats sleep", "a cat"),
    "lone": ("a bird sings",),
}


def describe(name: str, **extra: object) -> MetricInfo:
    fields = {
        "id": name,
        "title": name,
        "level": Level.SEGMENT,
        "inputs": frozenset({Input.CANDIDATE}),
        "higher_is_better": True,
        "bounds": (0.0, float("inf")),
        "version": "1",
        "citation": "this test",
    }
    return MetricInfo(**{**fields, **extra})


class Words(Metric):
    """The number of words of the candidate."""

    info = describe("words")

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [len(caption.split()) for caption in batch.candidates])


class Brevity(Words):
    """The same, but fewer are better."""

    info = describe("brevity", higher_is_better=False)


class Dogs(Metric):
    """1 if the candidate has the word dog, 0 otherwise; undefined without any word."""

    info = describe("dogs", bounds=(0.0, 1.0))

    def score(self, batch: Batch) -> Scores:
        split = [caption.split() for caption in batch.candidates]
        return Scores.make(batch.keys, [float("dog" in words) if words else np.nan for words in split])


class Shared(Metric):
    """The share of the candidate's words that a reference has."""

    info = describe("shared", inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}), bounds=(0.0, 1.0))

    def score(self, batch: Batch) -> Scores:
        values = []
        for caption, references in zip(batch.candidates, batch.references, strict=True):
            known = {word for reference in references for word in reference.split()}
            words = caption.split()
            values.append(sum(word in known for word in words) / len(words) if words else np.nan)
        return Scores.make(batch.keys, values)


class Failing(Metric):
    """Raises what no metric should."""

    info = describe("failing")

    def score(self, batch: Batch) -> Scores:
        raise ZeroDivisionError("no words")


class OfSystems(Metric):
    """One number for a system."""

    info = describe("of-systems", level=Level.CORPUS)

    def score(self, batch: Batch) -> Scores:
        return Scores.make(["all"], [1.0])


class Looking(Metric):
    """Needs the image."""

    info = describe("looking", inputs=frozenset({Input.CANDIDATE, Input.IMAGE}))

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [1.0] * len(batch))
