"""Tests of the matches of single pairs of spans."""

import numpy as np
import pytest

from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.metrics.meteor.relations import EXACT, PARAPHRASE, PARAPHRASED, STEM, SYNONYM, relate_spans
from tests.metrics_plugins.metrics.meteor.tiny import read_lines


@pytest.mark.parametrize(
    ("reference", "candidate", "stages"),
    [
        ("dog", "dog", [EXACT]),
        ("cat", "dog", []),
        ("an", "c0", [EXACT]),  # equal hash codes
        ("dogs", "dog", [STEM, SYNONYM]),
        ("cats", "cat", [STEM]),
        ("hound", "dogs", [SYNONYM]),
        ("dog", "animal", [PARAPHRASE]),
        ("animal", "dog", [PARAPHRASED]),
    ],
)
def test_stages_of_two_words(reference: str, candidate: str, stages: list[int], lexicon: Lexicon) -> None:
    captions = read_lines([reference, candidate], lexicon)
    relations = relate_spans(captions, lexicon)
    first, last = captions.tokens.ids[[0]], captions.tokens.ids[[-1]]

    found, pairs = relations.find_pairs(first, last)

    assert found.tolist() == [0] * len(pairs)
    rows = [slice(relations.offsets[pair], relations.offsets[pair + 1]) for pair in pairs]
    assert [stage for row in rows for stage in relations.stages[row].tolist()] == stages


def test_every_pair_of_many_words_is_found_and_no_other(lexicon: Lexicon) -> None:
    # Words that share a slot must not be taken for each other: a thousand stems with two forms each.
    words = [f"a{number}{ending}" for number in range(1_000) for ending in ("x", "xs")]
    captions = read_lines([" ".join(words)], lexicon)
    relations = relate_spans(captions, lexicon)
    lefts, rights = (places.ravel().astype(np.int32) for places in np.indices((2_000, 2_000)))

    found, pairs = relations.find_pairs(lefts, rights)

    assert found.tolist() == np.flatnonzero(lefts // 2 == rights // 2).tolist()
    expected = np.where(lefts[found] == rights[found], EXACT, STEM)
    assert relations.stages[relations.offsets[pairs]].tolist() == expected.tolist()


def test_no_captions(lexicon: Lexicon) -> None:
    relations = relate_spans(read_lines([], lexicon), lexicon)

    assert relations.keys.tolist() == []
