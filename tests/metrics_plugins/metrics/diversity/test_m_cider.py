"""Tests of mCIDEr against the matrices of the reference implementation."""

import math

import pytest

from tests.metrics_plugins.metrics.diversity.sets import GOLDEN, make_golden_batch, run, score


@pytest.mark.parametrize("similarity", ["cider", "cider-d"])
def test_golden(similarity: str) -> None:
    values = run("m-cider", make_golden_batch(), similarity=similarity).scores.values.tolist()

    assert values == pytest.approx([golden["m_cider"][similarity] for golden in GOLDEN["sets"]], abs=1e-12)


def test_a_caption_alone_is_like_itself() -> None:
    values = score("m-cider", [[], ["zebras cross dusty roads"], ["zebra"], [""]])

    assert values == pytest.approx([math.nan, 10.0, 2.5, 0.0], nan_ok=True)


def test_signature() -> None:
    signature = run("m-cider", make_golden_batch(), similarity="cider").signature

    assert str(signature) == "m-cider|similarity:cider|n:4|tok:white-space|df:references|v:1"
