import numpy as np
import pandas as pd
import pingouin
import pytest

from correlation.agreement.icc import FORMS, prepare_icc

# Shrout & Fleiss (1979), table 2: six subjects, four judges; table 4 gives the six values to two digits.
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)
PUBLISHED = {"1": 0.17, "2": 0.29, "3": 0.71, "1k": 0.44, "2k": 0.62, "3k": 0.91}


@pytest.mark.parametrize("form", PUBLISHED)
def test_published_example(form):
    assert prepare_icc(SHROUT_FLEISS, form)(np.ones((1, 6)))[0] == pytest.approx(PUBLISHED[form], abs=5e-3)


# pingouin 0.7.0 is the oracle; it names the six ICC1 ... ICC3k in this order.
# Its own calls of pandas and SciPy warn; that says nothing about our values.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
def test_equals_pingouin(seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(15, 1)) + rng.normal(size=(1, 4)) + rng.normal(size=(15, 4)) + 100
    long = pd.DataFrame(table).melt(ignore_index=False, var_name="rater", value_name="value").reset_index(names="item")

    expected = pingouin.intraclass_corr(long, targets="item", raters="rater", ratings="value")["ICC"].tolist()

    values = [prepare_icc(table, form)(np.ones((1, 15)))[0] for form in FORMS]
    assert values == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_a_weight_is_a_number_of_copies(form):
    weights = np.array([2.0, 0, 1, 3, 1, 0])
    repeated = np.repeat(SHROUT_FLEISS, weights.astype(int), axis=0)

    weighted = prepare_icc(SHROUT_FLEISS, form)(weights[None])[0]

    assert weighted == pytest.approx(prepare_icc(repeated, form)(np.ones((1, 7)))[0], abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_undefined_for_one_item_or_equal_judgments(form):
    assert np.isnan(prepare_icc(SHROUT_FLEISS, form)(np.array([[0, 0, 1.0, 0, 0, 0]]))[0])
    assert np.isnan(prepare_icc(np.full((4, 3), 2.5), form)(np.ones((1, 4)))[0])
