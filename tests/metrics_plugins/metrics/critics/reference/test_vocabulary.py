"""Tests of expected support and rarity of tokens, against numbers by hand."""

import numpy as np
import pytest

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary, learn_vocabulary


@pytest.fixture
def vocabulary() -> Vocabulary:
    """Of three captions: 5 is in all, 7 (twice in one) in two, and 9 in one."""
    captions = Ragged.from_rows([[5, 7, 7], [7, 5], [5, 9]])
    return learn_vocabulary(captions, np.array([5, 5, 7, 9]), np.array([1.0, 0.8, 0.4, 0.2]))


def test_rarity_is_inverse_document_frequency_from_0_to_1(vocabulary: Vocabulary) -> None:
    found = vocabulary.look_up(np.array([5, 7, 9, 6, 100]))[1]

    expected = [0.0, np.log(4 / 3) / np.log(4), np.log(4 / 2) / np.log(4), 1.0, 1.0]
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_expected_support_is_a_mean_shrunk_to_that_of_all_tokens(vocabulary: Vocabulary) -> None:
    found = vocabulary.look_up(np.array([9, 5, 7, 6]))[0]

    # The mean over all is 0.6 and counts as twenty occurrences.
    expected = [12.2 / 21, 13.8 / 22, 12.4 / 21, 0.6]
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_empty_vocabulary_knows_no_token() -> None:
    empty = Vocabulary(np.empty(0, np.int64), np.array([0.5], np.float32), np.array([1.0], np.float32))

    assert [each.tolist() for each in empty.look_up(np.array([3, 4]))] == [[0.5, 0.5], [1.0, 1.0]]
