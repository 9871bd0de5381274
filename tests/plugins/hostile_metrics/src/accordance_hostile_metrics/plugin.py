"""One metric for each kind of misbehaviour; they have the same declaration and score by the number of words."""

import ctypes
import os
import sys
from typing import Literal, Self

import numpy as np

from metrics_plugins.api import Batch, BuildContext, Input, Level, Metric, MetricInfo, Scores, hookimpl

GIGABYTE = 1024**3


def make_info(metric_id: str) -> MetricInfo:
    return MetricInfo(
        id=metric_id,
        title=metric_id.capitalize(),
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True,
        bounds=(0.0, 1000.0),
        version="1",
        citation="A test",
    )


class Words(Metric):
    """Behaves: counts words."""

    info = make_info("polite")

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [float(len(caption.split())) for caption in batch.candidates])


class Loops(Words):
    """Never answers."""

    info = make_info("loops-forever")

    def score(self, batch: Batch) -> Scores:
        while True:
            pass


class Eats(Words):
    """Takes ever more memory, and keeps all of it."""

    info = make_info("eats-memory")

    def score(self, batch: Batch) -> Scores:
        kept = []
        while True:
            kept.append(np.ones(8 * 1024 * 1024))


class Maps(Words):
    """Takes memory behind the back of the limit: shared pages of a file that has no name."""

    info = make_info("maps-memory")

    def score(self, batch: Batch) -> Scores:
        import mmap

        while True:
            shared = mmap.mmap(-1, 64 * 1024 * 1024)
            shared.write(b"x" * (64 * 1024 * 1024))
            self.__dict__.setdefault("kept", []).append(shared)


class Crashes(Words):
    """Reads where there is nothing."""

    info = make_info("segfaults")

    def score(self, batch: Batch) -> Scores:
        ctypes.string_at(0)
        return super().score(batch)


class Leaves(Words):
    """Ends its process."""

    info = make_info("leaves")

    def score(self, batch: Batch) -> Scores:
        sys.stderr.write("no licence\n")
        sys.stderr.flush()
        os._exit(3)


class WrongKeys(Words):
    """Answers with keys of its own."""

    info = make_info("wrong-keys")

    def score(self, batch: Batch) -> Scores:
        return Scores.make([f"row {row}" for row in range(len(batch))], [1.0] * len(batch))


class Undefined(Words):
    """Has no score for anything."""

    info = make_info("always-nan")

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [np.nan] * len(batch))


class OutOfBounds(Words):
    """Scores beyond what it declares."""

    info = make_info("out-of-bounds")

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [-1.0] * len(batch))


class Prints(Words):
    """Prints a gigabyte."""

    info = make_info("prints")

    def score(self, batch: Batch) -> Scores:
        line = "x" * (1024 * 1024 - 1) + "\n"
        for _ in range(GIGABYTE // len(line)):
            sys.stdout.write(line)
        return super().score(batch)


class Takes(Words):
    """Behaves, and takes one parameter of each type."""

    info = make_info("takes-parameters")

    def __init__(self, *, factor: float, plus: int, unit: str, case: bool, tokens: str | None) -> None:
        self.parameters = {"factor": factor, "plus": plus, "unit": unit, "case": case, "tokens": tokens or "none"}

    @classmethod
    def build(
        cls,
        context: BuildContext,
        *,
        factor: float = 1.0,
        plus: int = 0,
        unit: Literal["words", "letters"] = "words",
        case: bool = False,
        tokens: str | None = None,
    ) -> Self:
        if plus < 0:
            raise ValueError(f"plus must not be negative, got {plus}")
        return cls(factor=factor, plus=plus, unit=unit, case=case, tokens=tokens)

    def describe(self) -> dict:
        return self.parameters

    def score(self, batch: Batch) -> Scores:
        in_letters = self.parameters["unit"] == "letters"
        counts = [len(caption) if in_letters else len(caption.split()) for caption in batch.candidates]
        return Scores.make(
            batch.keys, [count * self.parameters["factor"] + self.parameters["plus"] for count in counts]
        )


@hookimpl
def register_metrics() -> list[type[Metric]]:
    return [Words, Loops, Eats, Maps, Crashes, Leaves, WrongKeys, Undefined, OutOfBounds, Prints, Takes]
