"""The program METEOR 1.5 as shipped with pycocoevalcap, used through its standard input."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread
from typing import IO

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.sources import find_sources

Rows = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class PeerScores:
    """What the program says of rows of (candidate, references)."""

    statistics: npt.NDArray[np.float64]
    scores: list[float]
    corpus: float


def run_peer(java: str, rows: Rows) -> PeerScores:
    """Return the program's numbers for tokenised captions; it takes some ten seconds to start."""
    options = ["-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"]
    with subprocess.Popen(
        [java, *options],
        cwd=find_sources().folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as program:
        assert program.stdin
        assert program.stdout
        # Beside the reading, because the program stops when nobody takes its answers.
        writer = Thread(target=_ask, args=(program.stdin, rows))
        writer.start()
        answers = [program.stdout.readline().strip() for _ in rows]
        writer.join()
        program.stdin.write(" ||| ".join(["EVAL", *answers]) + "\n")
        program.stdin.flush()
        scores = [float(program.stdout.readline()) for _ in rows]
        corpus = float(program.stdout.readline())
        program.stdin.close()
    statistics = np.array([[float(number) for number in answer.split()] for answer in answers])
    return PeerScores(statistics=statistics, scores=scores, corpus=corpus)


def _ask(program: IO[str], rows: Rows) -> None:
    program.writelines(" ||| ".join(["SCORE", *references, candidate]) + "\n" for candidate, references in rows)
    program.flush()
