from math import isnan, nan

import pytest

from correlation.coefficients.accuracy import credit_pairs, pairwise_accuracy
from correlation.errors import CorrelationInputError, UnknownNameError

# Six pairs: higher score on the chosen side (twice), on the other side (twice), and two ties, one of each choice.
FIRST = [2, 1, 1, 2, 1, 1]
SECOND = [1, 2, 2, 1, 1, 1]
CHOICE = [1, -1, 1, -1, 1, -1]


@pytest.mark.parametrize(
    ("ties", "credit", "accuracy"),
    [
        ("wrong", [1, 1, 0, 0, 0, 0], 2 / 6),
        ("half", [1, 1, 0, 0, 0.5, 0.5], 3 / 6),
        ("right", [1, 1, 0, 0, 1, 1], 4 / 6),
        ("first", [1, 1, 0, 0, 1, 0], 3 / 6),
    ],
)
def test_tie_rules(ties, credit, accuracy):
    assert credit_pairs(FIRST, SECOND, CHOICE, ties=ties).tolist() == credit
    assert pairwise_accuracy(FIRST, SECOND, CHOICE, ties=ties) == accuracy


@pytest.mark.parametrize(("first", "second", "choice"), [(nan, 1, 1), (1, nan, 1), (1, 2, nan), (1, 2, 0)])
def test_a_pair_without_score_or_choice_has_no_credit(first, second, choice):
    assert isnan(credit_pairs([first], [second], [choice], ties="half")[0])
    with pytest.raises(CorrelationInputError, match="pair 0 has a missing score or no choice"):
        pairwise_accuracy([first], [second], [choice], ties="half")


def test_no_pairs_have_no_accuracy():
    assert isnan(pairwise_accuracy([], [], [], ties="wrong"))


def test_unknown_tie_rule_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown tie rule 'random'; known are: wrong, half, right, first"):
        pairwise_accuracy([1], [2], [1], ties="random")
