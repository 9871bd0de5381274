"""Tests of the beam search on small pairs, with results derived by hand from the rules of the reference program."""

import numpy as np
import pytest

from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.metrics.meteor.matching import match_pairs
from metrics_plugins.metrics.meteor.relations import relate_spans
from metrics_plugins.metrics.meteor.search import align_pairs
from tests.metrics_plugins.metrics.meteor.tiny import read_lines

WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])


def align(lexicon: Lexicon, *pairs: tuple[str, str]) -> list[tuple[int, list[tuple[int, int]]]]:
    """Return, for each (reference, candidate), the chunks and where each match starts on both sides."""
    captions = read_lines([text for pair in pairs for text in pair], lexicon)
    texts = np.arange(2 * len(pairs))
    matches = match_pairs(captions, relate_spans(captions, lexicon), texts[1::2], texts[::2])
    alignments = align_pairs(captions, matches, weights=WEIGHTS)
    starts: list[list[tuple[int, int]]] = [[] for _ in pairs]
    for number in sorted(alignments.matches.tolist()):
        places = int(matches.reference_starts[number]), int(matches.candidate_starts[number])
        starts[int(matches.pairs[number])].append(places)
    return list(zip(alignments.chunks.tolist(), starts, strict=True))


@pytest.mark.parametrize(
    ("reference", "candidate", "chunks", "starts"),
    [
        ("", "", 0, []),
        ("x", "", 0, []),
        ("x y", "x y", 1, [(0, 0), (1, 1)]),
        ("x y", "y x", 2, [(0, 1), (1, 0)]),
        ("x z y", "x y", 2, [(0, 0), (2, 1)]),
        # Of two equal words the one is taken that makes fewer chunks.
        ("x y", "x z x y", 1, [(0, 2), (1, 3)]),
        # A fixed match by stem counts; one with a choice adds no weight and would cost a chunk.
        ("cats", "cat", 1, [(0, 0)]),
        ("dogs", "dog", 0, []),
        ("dogs run", "dog run", 1, [(0, 0), (1, 1)]),
    ],
)
def test_single_pairs(
    reference: str, candidate: str, chunks: int, starts: list[tuple[int, int]], lexicon: Lexicon
) -> None:
    assert align(lexicon, (reference, candidate)) == [(chunks, starts)]


def test_pairs_do_not_disturb_each_other(lexicon: Lexicon) -> None:
    pairs = [("x y x y x", "y x y x"), ("", "x"), ("x y", "x z x y"), ("y " * 70, "y " * 66), ("x", "x")]

    assert align(lexicon, *pairs) == [align(lexicon, pair)[0] for pair in pairs]


def test_words_beyond_the_64th(lexicon: Lexicon) -> None:
    chunks, starts = align(lexicon, ("z " * 3 + "x " * 70, "x " * 70))[0]

    assert chunks == 1
    assert starts == [(place + 3, place) for place in range(70)]
