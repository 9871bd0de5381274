"""Tests of aggregations against those of crowd-kit, run live on the same simulated judgments.

Its probabilities are clipped at 1e-10 in each step, ours are not: rare raters may lead it elsewhere, these do not.
"""

import importlib.metadata
import json

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

from correlation.agreement.dawid_skene import fit_dawid_skene
from correlation.agreement.item_ratings import ItemRatings
from correlation.agreement.mace import fit_mace
from correlation.protocols.aggregation import aggregate_judgments
from correlation.tables import JudgmentTable
from tests.correlation.shared_data import GOLDEN

# crowd-kit 1.4.2 writes into frames in a way that pandas 3 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:The (copy|inplace) keyword")

LEVELS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def columns():
    """Judgments of 60 items by 8 raters, in an order in which crowd-kit's orders of rows and of columns coincide."""
    crowd = json.loads((GOLDEN / "crowd_aggregation.json").read_text())
    return {name: np.array(crowd[name]) for name in ("item", "rater", "value")}


@pytest.fixture
def frame(columns):
    return pd.DataFrame({"task": columns["item"], "worker": columns["rater"], "label": columns["value"]})


def read(probabilities):
    return probabilities.sort_index()[list(LEVELS)].to_numpy()


def test_the_version_is_the_one_that_was_read():
    assert importlib.metadata.version("crowd-kit") == "1.4.2"


@pytest.mark.slow
def test_dawid_skene(columns, frame):
    result = fit_dawid_skene(ItemRatings.build(**columns), tolerance=1e-15)

    expected = DawidSkene(n_iter=1000, tol=1e-12).fit(frame).probas_
    np.testing.assert_allclose(result.posterior, read(expected), rtol=0, atol=1e-8)


@pytest.mark.slow
def test_mace(columns, frame):
    result = fit_mace(ItemRatings.build(**columns))

    expected = MACE(method="vb", n_iter=200, n_restarts=1).fit(frame).probas_
    np.testing.assert_allclose(result.posterior, read(expected), rtol=0, atol=1e-8)


def test_majority(columns, frame):
    names = [str(item) for item in range(60)]
    table = JudgmentTable.build(
        items=names,
        image=names,
        item=columns["item"].astype(str),
        rater=columns["rater"].astype(str),
        value=columns["value"],
    )

    found = aggregate_judgments(table, rule="majority")

    shares = MajorityVote().fit(frame).probas_
    best = read(shares.fillna(0)) == read(shares.fillna(0)).max(axis=1, keepdims=True)
    np.testing.assert_allclose(found, best @ np.array(LEVELS) / best.sum(axis=1), rtol=0, atol=1e-12)
