"""Tests of both variants of Self-CIDEr, the paper's and the authors', against their numbers."""

import math
import pickle

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from tests.metrics_plugins.metrics.diversity.sets import (
    GOLDEN,
    fit,
    load_bundled_registry,
    make_batch,
    make_golden_batch,
    run,
    score,
)


@pytest.mark.parametrize(("metric_id", "field"), [("self-cider", "self_cider"), ("self-cider-d", "self_cider_d")])
def test_golden(metric_id: str, field: str) -> None:
    values = run(metric_id, make_golden_batch()).scores.values.tolist()

    # Square roots make rounding of 1e-16 in an eigenvalue of 0 one of 1e-8.
    assert values == pytest.approx([golden[field] for golden in GOLDEN["sets"]], abs=2e-8)


@pytest.mark.parametrize("metric_id", ["self-cider", "self-cider-d"])
def test_golden_with_ptb_tokens(metric_id: str) -> None:
    raw = [[f"{caption.capitalize()}." for caption in golden["captions"]] for golden in GOLDEN["sets"]]
    metric = load_bundled_registry().build(metric_id)
    references = make_batch(raw, references=raw)

    fitted = metric.fit(references, None, np.random.default_rng(0))
    plain = fit(metric_id, make_batch(raw, references=[golden["captions"] for golden in GOLDEN["sets"]]))

    expected = run(plain, make_golden_batch()).scores.values.tolist()
    assert fitted.score(references).values.tolist() == pytest.approx(expected, abs=2e-8)


def test_only_the_authors_variant_depends_on_the_order_of_captions() -> None:
    batches = [make_golden_batch(), make_batch([golden["captions"][::-1] for golden in GOLDEN["sets"]])]

    plain = [run("self-cider", batch).scores.values.tolist() for batch in batches]
    clipped = [run("self-cider-d", batch).scores.values.tolist() for batch in batches]

    assert plain[0] == plain[1]
    # "short" holds "dog dog", whose CIDEr-D with "dog" depends on which of the two is the reference.
    assert abs(clipped[0][3] - clipped[1][3]) > 1e-3


@pytest.mark.parametrize("metric_id", ["self-cider", "self-cider-d"])
def test_sets_without_a_score(metric_id: str) -> None:
    values = score(metric_id, [[], ["a dog"], ["", ""], ["dog", ""], ["dog", "zebra"]])

    expected = [math.nan, math.nan, math.nan, 0.0, 1.0]
    assert values == pytest.approx(expected, nan_ok=True, abs=1e-7)


@pytest.mark.parametrize("metric_id", ["self-cider", "self-cider-d"])
def test_no_ngram_weighs_anything_if_fitted_on_one_image(metric_id: str) -> None:
    fitted = fit(metric_id, make_batch([[]], references=[["a dog"]]))

    assert math.isnan(score(fitted, [["a dog", "a cat"]])[0])


def test_sigma_widens_the_tolerance_in_length() -> None:
    captions = [["a red dog", "a red dog runs after the ball in the snow"]]

    assert score("self-cider-d", captions, sigma=1.0)[0] > score("self-cider-d", captions, sigma=100.0)[0]


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan])
def test_wrong_sigma_is_refused(sigma: float) -> None:
    with pytest.raises(MetricError) as raised:
        load_bundled_registry().build("self-cider-d", sigma=sigma)

    assert str(raised.value) == f"`sigma` of metric 'self-cider-d' must be positive, got {sigma!r}"


def test_fitted_metric_is_small_and_survives_pickling() -> None:
    fitted = fit("self-cider-d")
    data = pickle.dumps(fitted)
    arrived = pickle.loads(data)  # noqa: S301

    assert len(data) < 10_000
    assert run(arrived, make_golden_batch()).scores.values.tolist() == score(
        fitted, [golden["captions"] for golden in GOLDEN["sets"]]
    )


def test_signatures() -> None:
    batch = make_golden_batch()

    assert str(run("self-cider", batch).signature) == "self-cider|n:4|tok:white-space|df:references|v:1"
    assert str(run("self-cider-d", batch).signature) == "self-cider-d|n:4|sigma:6|tok:white-space|df:references|v:1"
