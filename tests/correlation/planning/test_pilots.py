import pytest

from correlation.errors import CorrelationInputError
from correlation.planning.pilots import PreferencePilot, SystemPilot, estimate_preference, estimate_systems, find_error


def test_the_noise_of_raters_is_told_from_that_of_images():
    # Means of a: 2 and 4, of b: 1 and 1; differences 1 and 3: mean 2, variance 2. Inside the cells the squares sum to
    # 2 + 2 + 0 + 0 over 4 degrees of freedom: 1. A difference of two means of two has 1/2 + 1/2 of it: 2 - 1 = 1.
    found = estimate_systems(
        image=["1"] * 4 + ["2"] * 4,
        system=list("aabbaabb"),
        value=[1, 3, 1, 1, 3, 5, 1, 1],
        first="a",
        second="b",
    )

    assert found == SystemPilot(difference=2.0, deviation=1.0, rater_deviation=1.0, n_images=2)


def test_images_of_one_system_only_do_not_count():
    columns = {"image": [1, 1, 2, 2, 3], "system": list("ababa"), "value": [2, 1, 4, 1, 5]}

    assert estimate_systems(**columns, first="a", second="b").n_images == 2
    assert estimate_systems(**columns, first="b", second="a").difference == -2.0


def test_one_image_is_no_pilot():
    with pytest.raises(CorrelationInputError, match="two images with ratings of a and b, got 1"):
        estimate_systems(image=[1, 1], system=["a", "b"], value=[1, 2], first="a", second="b")


def test_choices_of_one_image_that_are_alike_count_less():
    # Four choices at share 1/2: totals of the images are 1 and -1, squares 2, against 4 / 4 = 1 if independent.
    found = estimate_preference(image=[1, 1, 2, 2], value=[1, 1, -1, -1])

    assert found == PreferencePilot(share=0.5, ties=0.0, design_effect=2.0, n=4)


def test_ties_are_counted_apart():
    found = estimate_preference(image=[1, 2, 3, 4], value=[1, 0, -1, 0])

    assert (found.share, found.ties, found.design_effect) == (0.5, 0.5, 1.0)


def test_ties_alone_are_no_pilot():
    with pytest.raises(CorrelationInputError, match="a choice that is not a tie, got 2 ties"):
        estimate_preference(image=[1, 2], value=[0, 0])


def test_one_sided_choices_have_no_design_effect():
    assert estimate_preference(image=[1, 1], value=[1, 1]) == PreferencePilot(1.0, 0.0, 1.0, 2)


def test_the_error_of_an_interval():
    # The normal quantile of .975 is 1.959963984540054 (SciPy 1.16, scipy.stats.norm.ppf).
    assert find_error(0.0, 2 * 1.959963984540054, confidence=0.95) == pytest.approx(1.0, abs=1e-12)
