import numpy as np
import pytest

from correlation.agreement.item_ratings import ItemRatings
from correlation.errors import CorrelationInputError


def test_columns_become_codes_and_tables():
    ratings = ItemRatings.build(item=["b", "a", "b"], rater=["y", "x", "x"], value=[4, 1, 2])

    assert ratings.levels.tolist() == [1, 2, 4]
    assert ratings.count_levels().tolist() == [[1, 0, 0], [0, 1, 1]]
    np.testing.assert_array_equal(ratings.tabulate(), [[1, np.nan], [2, 4]])


@pytest.mark.parametrize(
    ("item", "rater", "value", "message"),
    [
        (["a", "a"], ["x", "x"], [1, 2], r"one rater judged one item twice \(again at index 1\)"),
        (["a"], ["x"], [np.nan], "`value` is NaN at index 0"),
        (["a"], ["x", "y"], [1, 2], r"`item` must have one entry per value \(2\), got 1"),
    ],
)
def test_refuses(item, rater, value, message):
    with pytest.raises(CorrelationInputError, match=message):
        ItemRatings.build(item=item, rater=rater, value=value)
