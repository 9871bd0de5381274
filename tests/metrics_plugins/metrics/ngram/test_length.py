"""Tests of the length baseline."""

from tests.metrics_plugins.metrics.ngram.tokenized import GOLDEN, make_golden_batch, run, score


def test_length_is_the_number_of_tokens() -> None:
    result = run("length", make_golden_batch())

    # Counted in the golden tokens (one less than BLEU's testlen: "3 1/2" of image 105 is one token).
    expected = [12, 14, 10, 12, 21, 13, 0, 7, 11, 1, 7, 36]
    assert result.scores.values.tolist() == expected
    assert len(GOLDEN["images"]) == len(expected)
    assert result.corpus == sum(expected) / 12


def test_empty_caption_among_others() -> None:
    assert score("length", [("", []), ("a", []), ("", ["a b"]), ("a b c", [])]) == [0, 1, 0, 3]


def test_signature() -> None:
    assert str(run("length", make_golden_batch()).signature) == "length|tok:blanks|v:1"
