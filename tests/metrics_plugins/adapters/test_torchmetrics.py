"""Tests against torchmetrics' own scores for single candidates."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.adapters import adapt_torchmetrics
from metrics_plugins.api import Batch, Metric
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.checks import CheckCase, parametrize_with_checks
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.adapters.real_captions import load_rows
from tests.metrics_plugins.api.examples import ExamplePlugin


def make_edit_distance() -> object:
    from torchmetrics.text import EditDistance

    return EditDistance(substitution_cost=2)


def adapt(factory: object, metric_id: str, *, bounds: tuple[float, float], **more: object) -> type[Metric]:
    return adapt_torchmetrics(
        factory,
        id=metric_id,
        title=metric_id,
        bounds=bounds,
        higher_is_better=bounds[1] == 1.0,
        citation="torchmetrics",
        version="1",
        **more,
    )


REGISTRY = load_registry(
    [
        ExamplePlugin(
            adapt("torchmetrics.text:CHRFScore", "t-chrf", bounds=(0.0, 1.0), options={"n_word_order": 2}),
            adapt(
                "torchmetrics.text:ROUGEScore",
                "t-rouge",
                bounds=(0.0, 1.0),
                options={"rouge_keys": "rougeL"},
                output="rougeL_fmeasure",
            ),
            adapt("torchmetrics.text:WordErrorRate", "t-wer", bounds=(0.0, math.inf), references="best"),
            adapt(make_edit_distance, "t-edit", bounds=(0.0, math.inf), references="best"),
        )
    ],
    INSTALLED_PLUGINS,
)


@parametrize_with_checks(["t-chrf", "t-rouge", "t-wer", "t-edit"], registry=REGISTRY)
def test_contract(check: CheckCase) -> None:
    check()


def score(metric_id: str, rows: list[tuple[str, list[str]]], **params: object) -> list[float]:
    batch = Batch.make(
        map(str, range(len(rows))), candidates=[row[0] for row in rows], references=[row[1] for row in rows]
    )
    return run_metric(REGISTRY.build(metric_id, **params), batch, rng=np.random.default_rng(0)).scores.values.tolist()


def test_scores_are_those_of_a_fresh_peer_for_each_row(data_folder: Path) -> None:
    from torchmetrics.text import CHRFScore, ROUGEScore

    rows = load_rows(data_folder, n_rows=30)
    chrf, rouge = [], []
    for candidate, references in rows:
        chrf.append(CHRFScore()([candidate], [references]).item())
        rouge.append(ROUGEScore(rouge_keys="rougeL")([candidate], [references])["rougeL_fmeasure"].item())

    assert score("t-chrf", rows) == chrf
    assert score("t-rouge", rows) == rouge
    assert score("t-chrf", rows, n_word_order=0) != chrf


def test_best_of_several_references() -> None:
    # Two of three words are wrong against one reference, none against the other; of no words there is no share.
    rows = [("a dog runs", ["a cat sleeps", "a dog runs"]), ("a dog runs", ["a cat sleeps"]), ("a dog", [""])]

    assert score("t-wer", rows) == pytest.approx([0.0, 2 / 3, math.nan], nan_ok=True, abs=1e-6)


def test_rounding_never_leaves_the_bounds() -> None:
    # Equal captions: many sums of single-precision fractions that shall be 1.
    rows = [(" ".join("abcdefgh"[: 1 + n]), [" ".join("abcdefgh"[: 1 + n])]) for n in range(8)]

    assert max(score("t-chrf", rows)) <= 1.0


def test_options_and_version_print_and_survive_pickling() -> None:
    metric = REGISTRY.build("t-chrf")

    assert str(metric.signature) == "t-chrf|n_word_order:2|torchmetrics:1.9.0|v:1"
    assert pickle.loads(pickle.dumps(metric)).signature == metric.signature  # noqa: S301
