import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from correlation.comparison.letters import assign_letters
from correlation.errors import CorrelationInputError


def as_matrix(n, pairs):
    matrix = np.ones((n, n))
    for one, other in pairs:
        matrix[one, other] = matrix[other, one] = 0.001
    return matrix


# By hand: the maximal sets of rows without a difference are 0-5, 2-6 and 5-7.
def test_eight_rows_by_hand():
    pairs = [(0, 6), (0, 7), (1, 6), (1, 7), (2, 7), (3, 7), (4, 7)]

    letters = assign_letters([8, 7, 6, 5, 4, 3, 2, 1], as_matrix(8, pairs), alpha=0.05)

    assert letters == ("a", "a", "ab", "ab", "ab", "abc", "bc", "c")


def test_eight_significant_pairs_are_not_all_one_letter():
    # Rank clusters have one cluster here, because neighbours never differ.
    pairs = [(one, other) for one in range(5) for other in range(one + 2, 5)]

    assert assign_letters([5, 4, 3, 2, 1], as_matrix(5, pairs), alpha=0.05) == ("a", "ab", "bc", "cd", "d")


def test_order_of_values_decides_the_letters_and_not_of_rows():
    assert assign_letters([1, 3, 2], as_matrix(3, [(0, 1)]), alpha=0.05) == ("b", "a", "ab")


def test_an_undefined_value_and_a_test_that_was_not_made():
    matrix = as_matrix(3, [(0, 1)])
    matrix[2] = matrix[:, 2] = np.nan

    assert assign_letters([1, 2, float("nan")], matrix, alpha=0.05) == ("b", "a", "ab")
    assert assign_letters([], np.ones((0, 0)), alpha=0.05) == ()


@given(st.integers(1, 7), st.integers(0, 2**21 - 1), st.permutations(range(7)))
def test_a_letter_is_shared_if_and_only_if_there_is_no_difference(n, bits, order):
    places = [(one, other) for one in range(n) for other in range(one + 1, n)]
    pairs = {pair for number, pair in enumerate(places) if bits >> number & 1}
    values = [float(order[place]) for place in range(n)]

    letters = assign_letters(values, as_matrix(n, pairs), alpha=0.05)

    for pair in places:
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in pairs)
    used = {letter for row in letters for letter in row}
    assert used == set(string.ascii_lowercase[: len(used)])
    assert "a" in letters[values.index(max(values))]


def test_refuses_a_matrix_of_another_shape():
    with pytest.raises(CorrelationInputError, match=r"must have shape \(2, 2\), got \(3, 3\)"):
        assign_letters([1, 2], np.ones((3, 3)), alpha=0.05)
