import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.protocols.scatter import FittedLine, fit_line, gather_cells, gather_points
from correlation.tables import JudgmentTable


def test_fit_line_least_squares() -> None:
    # By hand: means 2 and 3, sum of products 1*2 + 0*1 + 1*1 = 3 over sum of squares 2.
    line = fit_line([1, 2, 3], [1, 4, 4])

    assert line == FittedLine(slope=1.5, intercept=0.0, x_low=1.0, x_high=3.0)
    assert line.at(2) == 3.0


def test_fit_line_agrees_with_polyfit() -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(1, 5, size=500).astype(float)
    y = 0.3 * x + rng.normal(size=500)

    line = fit_line(x, y)

    assert line is not None
    assert [line.slope, line.intercept] == pytest.approx(np.polyfit(x, y, 1), rel=1e-12)


@pytest.mark.parametrize(("x", "y"), [([], []), ([2], [1]), ([2, 2], [1, 5])])
def test_fit_line_needs_two_values_of_x(x: list, y: list) -> None:
    assert fit_line(x, y) is None


def test_gather_cells_keeps_places_when_few() -> None:
    cells = gather_cells([2, 1, 1, 1], [0, 5, 5, 4])

    assert cells.x.tolist() == [1, 1, 2]
    assert cells.y.tolist() == [4, 5, 0]
    assert cells.count.tolist() == [1, 2, 1]
    assert cells.is_binned is False


def test_gather_cells_bins_only_the_crowded_axis() -> None:
    x = np.tile([1.0, 2.0], 50)
    y = np.arange(100.0)

    cells = gather_cells(x, y, most_cells=10, bins=3)

    assert cells.is_binned is True
    assert cells.x.tolist() == [1, 1, 1, 2, 2, 2]
    assert cells.y.tolist() == [16.5, 49.5, 82.5] * 2
    assert cells.count.tolist() == [17, 16, 17, 16, 17, 17]


def test_gather_cells_of_nothing() -> None:
    assert gather_cells([], []).count.tolist() == []


def test_nan_is_named() -> None:
    with pytest.raises(CorrelationInputError, match="`y` is NaN at index 1"):
        gather_cells([1, 2], [1, float("nan")])


def _rate(**extra):
    return JudgmentTable.build(
        items=["a", "b", "c", "unjudged"],
        image=["1", "1", "2", "2"],
        item=["a", "a", "b", "c"],
        rater=["ann", "bob", "ann", "ann"],
        value=[1, 4, 2, 3],
        **extra,
    )


@pytest.mark.parametrize(
    ("ratings", "items", "judgments", "scores"),
    [
        ("each", ["a", "a", "c"], [1, 4, 3], [0.5, 0.5, 0.25]),
        ("mean", ["a", "c"], [2.5, 3], [0.5, 0.25]),
    ],
)
def test_gather_points_of_ratings(ratings, items, judgments, scores) -> None:
    protocol = get_protocol("diversity", ratings=ratings)
    data = RatedItems.build(_rate(), scores=[0.5, float("nan"), 0.25, 1])

    points = gather_points(protocol, data)

    assert points.items.tolist() == items
    assert points.judgments.tolist() == judgments
    assert points.scores.tolist() == scores
    assert points.n_missing == 1


def test_gather_points_leaves_out_what_the_protocol_leaves_out() -> None:
    data = RatedItems.build(_rate(), scores=[0.5, 0.25, 0.75, 1], in_references=[True, False, False, False])

    points = gather_points(get_protocol("flickr8k-expert"), data)

    assert points.items.tolist() == ["b", "c"]
    assert points.n_missing == 0


def test_gather_points_of_pairs_averages_votes_and_draws() -> None:
    votes = JudgmentTable.build(
        items=["p", "q", "unjudged"],
        image=["1", "2", "3"],
        item=["p", "p", "q"],
        rater=["ann", "bob", "ann"],
        value=[1, -1, -1],
    )
    first_draw, second_draw = [[3, 1], [1, 2], [0, 0]], [[5, 1], [1, 1], [0, 0]]

    points = gather_points(get_protocol("pascal-50s"), JudgedPairs.build(votes, scores=[first_draw, second_draw]))

    assert points.items.tolist() == ["p", "q"]
    assert points.judgments.tolist() == [0, -1]
    assert points.scores.tolist() == [3, -0.5]
