"""Tests of the accuracy of a set against CIDEr of its captions, and of F-beta by hand."""

import math

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.runtime import run_metric
from tests.metrics_plugins.metrics.diversity.sets import REFERENCES, fit, load_bundled_registry, make_batch, run

CAPTION_SETS = [[*references[::-1], "a dog runs"] for references in REFERENCES]


@pytest.mark.parametrize("similarity", ["cider", "cider-d"])
def test_accuracy_is_the_mean_over_captions(similarity: str) -> None:
    values = run("set-cider", make_batch(CAPTION_SETS, references=REFERENCES), similarity=similarity).scores.values

    for captions, references, value in zip(CAPTION_SETS, REFERENCES, values.tolist(), strict=True):
        batch = Batch.make(map(str, range(len(captions))), candidates=captions, references=[references] * len(captions))
        expected = run_metric(fit(similarity), batch, rng=np.random.default_rng(0)).scores.mean
        assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("similarity", "diversity"), [("cider", "self-cider"), ("cider-d", "self-cider-d")])
@pytest.mark.parametrize("beta", [1.0, 0.5, 3.0])
def test_f_beta(similarity: str, diversity: str, beta: float) -> None:
    batch = make_batch(CAPTION_SETS, references=REFERENCES)
    accuracies = run("set-cider", batch, similarity=similarity).scores.values
    diversities = run(diversity, batch).scores.values

    values = run("f-beta", batch, similarity=similarity, beta=beta).scores.values

    expected = (beta**2 + 1) * accuracies * diversities / (beta**2 * accuracies + diversities)
    assert len(values) == len(REFERENCES)
    assert values.tolist() == pytest.approx(expected.tolist(), abs=1e-12)


def test_sets_without_a_score() -> None:
    batch = make_batch(
        [[], ["zebra"], ["zebra", "dog"], ["x", "x"], ["zebra", "zebra"]],
        references=[["zebra"], ["zebra"], [], ["zebra"], ["zebra"]],
    )

    accuracy = run("set-cider", batch).scores.values.tolist()
    f_beta = run("f-beta", batch).scores.values.tolist()

    assert accuracy == pytest.approx([math.nan, 2.5, math.nan, 0.0, 2.5], nan_ok=True)
    assert f_beta == pytest.approx([math.nan, math.nan, math.nan, 0.0, 0.0], nan_ok=True, abs=1e-7)


@pytest.mark.parametrize("beta", [0.0, -1.0, math.nan, math.inf])
def test_wrong_beta_is_refused(beta: float) -> None:
    with pytest.raises(MetricError) as raised:
        load_bundled_registry().build("f-beta", beta=beta)

    assert str(raised.value) == f"`beta` of metric 'f-beta' must be positive, got {beta!r}"


def test_signatures() -> None:
    batch = make_batch(CAPTION_SETS, references=REFERENCES)

    assert [str(run(name, batch).signature) for name in ("set-cider", "f-beta")] == [
        "set-cider|similarity:cider-d|n:4|tok:white-space|df:references|v:1",
        "f-beta|beta:1|similarity:cider-d|n:4|tok:white-space|df:references|v:1",
    ]
