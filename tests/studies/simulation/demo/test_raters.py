import numpy as np
import pytest

from studies.simulation.demo.raters import SimulatedRater, make_population

EXACT = SimulatedRater(bias=0.0, noise=0.0, care=1.0)
CARELESS = SimulatedRater(bias=0.0, noise=0.0, care=0.0)


def make_rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize(
    ("bias", "quality", "expected"), [(0.0, 0.3, 0.3), (0.25, 0.5, 0.75), (0.5, 0.9, 1.0), (-0.5, 0.1, 0.0)]
)
def test_a_bias_shifts_what_is_perceived(bias, quality, expected):
    assert SimulatedRater(bias=bias, noise=0.0, care=1.0).perceive(quality, rng=make_rng()) == expected


@pytest.mark.parametrize(("quality", "expected"), [(0.0, 1.0), (0.24, 1.0), (0.26, 2.0), (0.99, 4.0), (1.0, 4.0)])
def test_a_scale_is_cut_into_equal_parts(quality, expected):
    assert EXACT.rate(quality, scale=(1.0, 2.0, 3.0, 4.0), rng=make_rng()) == expected


@pytest.mark.parametrize(("quality", "other", "expected"), [(0.6, 0.5, 1.0), (0.5, 0.6, -1.0)])
def test_the_better_one_is_chosen(quality, other, expected):
    assert EXACT.choose(quality, other, rng=make_rng()) == expected


def test_a_careless_answer_has_nothing_to_do_with_the_quality():
    answers = [
        [CARELESS.perceive(quality, rng=rng) for _ in range(5)] for quality in (0.0, 1.0) for rng in [make_rng()]
    ]

    assert answers[0] == answers[1]


def test_a_population_follows_from_its_seed():
    assert make_population(5, rng=make_rng()) == make_population(5, rng=make_rng())
    assert len(set(make_population(5, rng=make_rng()))) == 5


def test_a_population_is_as_described():
    raters = make_population(2000, rng=make_rng())

    assert np.std([rater.bias for rater in raters]) == pytest.approx(0.08, rel=0.05)
    assert 0.05 <= min(rater.noise for rater in raters) < max(rater.noise for rater in raters) <= 0.2
    # A beta(1, 15) variable has mean 1/16.
    assert np.mean([rater.care for rater in raters]) == pytest.approx(15 / 16, abs=0.005)
