from math import nan, sqrt

import numpy as np
import pytest

from correlation.agreement.disagreement import (
    average_values,
    differ_in_rank,
    oppose,
    rank_percentiles,
    sign_margins,
    spread_values,
)
from correlation.errors import CorrelationInputError


def test_places_are_shared_by_equals_and_leave_out_what_is_missing():
    # Ranks 1, 2.5, 2.5, 4 of four: (rank - 1/2) / 4.
    np.testing.assert_array_equal(rank_percentiles([10, 20, nan, 20, 40]), [0.125, 0.5, nan, 0.5, 0.875])
    assert np.isnan(rank_percentiles([nan, nan])).all()


def test_difference_of_places_counts_only_items_that_have_both():
    # Without the third item the places are .25 and .75, and the other way round.
    np.testing.assert_array_equal(differ_in_rank([1, 2, 3], [5, 3, nan]), [-0.5, 0.5, nan])


def test_places_are_those_of_scipy():
    from scipy.stats import rankdata

    values = np.random.default_rng(3).integers(0, 9, size=200)

    np.testing.assert_allclose(rank_percentiles(values), (rankdata(values) - 0.5) / 200)


def test_margins_have_the_sign_of_the_difference_and_the_place_of_its_size():
    # Sizes 0, .5, 2 have the places 1/6, 1/2, 5/6.
    np.testing.assert_allclose(sign_margins([0.5, -2.0, 0.0, nan]), [0.5, -5 / 6, 0.0, nan])


def test_sides_are_opposed_only_where_they_choose_different_captions():
    apart = oppose([1.0, 0.5, 1.0, 0.0, nan], [-1.0, -0.5, 0.9, -1.0, -1.0])

    np.testing.assert_allclose(apart, [1.0, 0.5, 0.0, 0.0, nan])


def test_spread_is_the_standard_deviation_of_each_item():
    # 1, 2, 4 around 7/3: (16 + 1 + 25) / 9 / 2 = 7/3. One judgment has none.
    spread = spread_values([0, 0, 0, 2], [1.0, 2.0, 4.0, 5.0], n_items=3)

    np.testing.assert_allclose(spread, [sqrt(7 / 3), nan, nan])


def test_votes_that_are_split_evenly_spread_most():
    items = [0, 0, 0, 0, 1, 1, 1, 1]

    even, three_to_one = spread_values(items, [1, 1, -1, -1, 1, 1, 1, -1], n_items=2)

    assert even > three_to_one > 0


def test_mean_of_nobody_is_missing():
    np.testing.assert_array_equal(average_values([0, 0, 2], [1.0, 3.0, 2.0], n_items=3), [2.0, nan, 2.0])


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(CorrelationInputError):
        differ_in_rank([1, 2], [1])
    with pytest.raises(CorrelationInputError):
        oppose([1, 2], [1])
