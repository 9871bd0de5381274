import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from correlation.agreement.item_ratings import ItemRatings
from correlation.agreement.kappa import prepare_cohen, prepare_fleiss

# Fleiss (1971) as tabled in the literature: 10 subjects, 14 raters, 5 categories; kappa .210.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# Cohen (1960)-like table of two raters: 20 both yes, 15 both no, 5 and 10 apart: (.7 - .5) / (1 - .5) = .4.
TWO_RATERS = [[20, 5], [10, 15]]


def build(table):
    """A dense table of shape (n_items, n_raters)."""
    item, rater = np.indices(table.shape)
    given = ~np.isnan(table)
    return ItemRatings.build(item=item[given], rater=rater[given], value=table[given])


def ones(ratings):
    return np.ones((1, ratings.n_items))


def test_fleiss_example():
    table = np.array([np.repeat(np.arange(5), counts) for counts in FLEISS], dtype=float)
    ratings = build(table)

    value = prepare_fleiss(ratings)(ones(ratings))[0]

    assert value == pytest.approx(0.210, abs=5e-4)
    assert value == pytest.approx(fleiss_kappa(np.array(FLEISS)), abs=1e-12)


# statsmodels 0.15.0 is the oracle.
@pytest.mark.parametrize("seed", range(3))
def test_fleiss_equals_statsmodels(seed):
    table = np.random.default_rng(seed).integers(0, 4, size=(30, 5)).astype(float)
    ratings = build(table)

    assert prepare_fleiss(ratings)(ones(ratings))[0] == pytest.approx(
        fleiss_kappa(aggregate_raters(table)[0]), abs=1e-12
    )


def test_cohen_by_hand():
    rows = [[a, b] for a in (0, 1) for b in (0, 1) for _ in range(TWO_RATERS[a][b])]
    ratings = build(np.array(rows, dtype=float))

    assert prepare_cohen(ratings, "none")(ones(ratings))[0] == pytest.approx(0.4, abs=1e-12)


@pytest.mark.parametrize(("weighting", "wt"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_cohen_equals_statsmodels_for_each_pair_of_raters(weighting, wt):
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 4, size=(50, 1))
    table = np.clip(truth + rng.integers(-1, 2, size=(50, 3)), 0, 3).astype(float)
    ratings = build(table)

    expected = []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        cells = np.zeros((4, 4))
        np.add.at(cells, (table[:, a].astype(int), table[:, b].astype(int)), 1)
        expected.append(cohens_kappa(cells, wt=wt).kappa)
    assert prepare_cohen(ratings, weighting)(ones(ratings))[0] == pytest.approx(np.mean(expected), abs=1e-12)


def test_cohen_uses_the_items_that_both_judged():
    full = np.array([[1.0, 1], [2, 1], [2, 2], [1, 1]])
    gaps = np.vstack([full, [[1, np.nan], [np.nan, 2]]])

    values = [prepare_cohen(r, "none")(ones(r))[0] for r in (build(full), build(gaps))]

    assert values[0] == values[1]


def test_equal_judgments_have_no_kappa():
    ratings = build(np.ones((3, 2)))

    assert np.isnan(prepare_fleiss(ratings)(ones(ratings))[0])
    assert np.isnan(prepare_cohen(ratings, "none")(ones(ratings))[0])
