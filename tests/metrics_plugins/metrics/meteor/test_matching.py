"""Tests of the matches of pairs of captions and of their order."""

import numpy as np

from metrics_plugins.metrics.meteor.captions import CaptionTable
from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.metrics.meteor.matching import AlignmentTable, cut_pairs, match_pairs
from metrics_plugins.metrics.meteor.relations import relate_spans
from tests.metrics_plugins.metrics.meteor.tiny import read_lines

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)


def match(lexicon: Lexicon, reference: str, candidate: str) -> AlignmentTable:
    captions = read_lines([reference, candidate], lexicon)
    return match_pairs(captions, relate_spans(captions, lexicon), np.array([1]), np.array([0]))


def list_matches(matches: AlignmentTable) -> list[tuple[int, ...]]:
    """Return stage, start and length in the reference, start and length in the candidate."""
    columns = (
        matches.stages,
        matches.reference_starts,
        matches.reference_lengths,
        matches.candidate_starts,
        matches.candidate_lengths,
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_matches_by_start_stage_and_place(lexicon: Lexicon) -> None:
    matches = match(lexicon, "dogs dog", "dog hound dog")

    assert list_matches(matches) == [
        (STEM, 0, 1, 0, 1),
        (STEM, 0, 1, 2, 1),
        (SYNONYM, 0, 1, 0, 1),
        (SYNONYM, 0, 1, 1, 1),
        (SYNONYM, 0, 1, 2, 1),
        (EXACT, 1, 1, 0, 1),
        (EXACT, 1, 1, 2, 1),
        (SYNONYM, 1, 1, 1, 1),
    ]
    assert matches.offsets.tolist() == [0, 5, 8, 8]
    assert matches.pairs.tolist() == [0] * 8


def test_paraphrases_of_the_reference_come_by_length_then_table_then_place(lexicon: Lexicon) -> None:
    matches = match(lexicon, "a dog", "hound one dog hound")

    assert [row for row in list_matches(matches) if row[0] == PARAPHRASE] == [
        (PARAPHRASE, 0, 2, 1, 2),
        (PARAPHRASE, 0, 2, 0, 1),
        (PARAPHRASE, 0, 2, 3, 1),
    ]


def test_paraphrases_of_the_candidate_come_by_place_then_length(lexicon: Lexicon) -> None:
    matches = match(lexicon, "hound", "a dog a dog")

    assert [row for row in list_matches(matches) if row[0] == PARAPHRASE] == [
        (PARAPHRASE, 0, 1, 0, 2),
        (PARAPHRASE, 0, 1, 2, 2),
    ]


def test_fixed_matches_share_no_word(lexicon: Lexicon) -> None:
    matches = match(lexicon, "a cat the cat x", "the cat a x")

    assert list_matches(matches) == [
        (EXACT, 0, 1, 2, 1),
        (EXACT, 1, 1, 1, 1),
        (EXACT, 2, 1, 0, 1),
        (EXACT, 3, 1, 1, 1),
        (EXACT, 4, 1, 3, 1),
    ]
    assert matches.is_fixed.tolist() == [True, False, True, False, True]


def test_captions_of_equal_words_match_exactly_only(lexicon: Lexicon) -> None:
    assert list_matches(match(lexicon, "dog dogs", "dog dogs")) == [(EXACT, 0, 1, 0, 1), (EXACT, 1, 1, 1, 1)]


def test_pairs_without_words(lexicon: Lexicon) -> None:
    matches = match(lexicon, "", "")

    assert list_matches(matches) == []
    assert matches.offsets.tolist() == [0, 0]


def make_captions(lexicon: Lexicon, *lengths: int) -> CaptionTable:
    return read_lines([" ".join(["x"] * length) for length in lengths], lexicon)


def test_every_pair_is_in_one_block_and_blocks_are_small(lexicon: Lexicon) -> None:
    captions = make_captions(lexicon, 1_000, 2_000, 10, 0)
    candidates = np.array([0, 1, 2, 3, 1] * 4)
    references = np.array([1, 1, 2, 0, 3] * 4)

    blocks = list(cut_pairs(captions, candidates, references))

    assert sorted(np.concatenate(blocks).tolist()) == list(range(20))
    n_words = captions.n_words
    cells = [int((n_words[candidates[rows]] * n_words[references[rows]]).sum()) for rows in blocks]
    assert all(count <= 1 << 21 or len(rows) == 1 for count, rows in zip(cells, blocks, strict=True))
    lengths = [n_words[references[row]] for rows in blocks for row in rows]
    assert lengths == sorted(lengths)
