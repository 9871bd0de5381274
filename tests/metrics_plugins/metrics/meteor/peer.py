"""The program METEOR 1.5 as shipped with pycocoevalcap, used through its standard input."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import IO

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.sources import find_sources
from tests.parts import QUICK_JAVA

Rows = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class PeerScores:
    """What the program says of rows of (candidate, references)."""

    statistics: npt.NDArray[np.float64]
    scores: list[float]
    corpus: float


@contextmanager
def open_peer(java: str) -> Iterator[Callable[[Rows], PeerScores]]:
    """Yield what returns the program's numbers for tokenised captions; the program takes some ten seconds to start."""
    options = ["-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"]
    with subprocess.Popen(
        [java, *QUICK_JAVA, *options],
        cwd=find_sources().folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as program:
        yield partial(_ask, program)


def _ask(program: subprocess.Popen[str], rows: Rows) -> PeerScores:
    try:
        return _score(program, rows)
    except BaseException:
        # Answers that nobody took are not those to the next question.
        program.kill()
        raise


def _score(program: subprocess.Popen[str], rows: Rows) -> PeerScores:
    assert program.stdin
    assert program.stdout
    # Beside the reading, because the program stops when nobody takes its answers.
    writer = Thread(target=_write, args=(program.stdin, rows))
    writer.start()
    answers = [program.stdout.readline().strip() for _ in rows]
    writer.join()
    program.stdin.write(" ||| ".join(["EVAL", *answers]) + "\n")
    program.stdin.flush()
    scores = [float(program.stdout.readline()) for _ in rows]
    corpus = float(program.stdout.readline())
    statistics = np.array([[float(number) for number in answer.split()] for answer in answers])
    return PeerScores(statistics=statistics, scores=scores, corpus=corpus)


def _write(program: IO[str], rows: Rows) -> None:
    program.writelines(" ||| ".join(["SCORE", *references, candidate]) + "\n" for candidate, references in rows)
    program.flush()
