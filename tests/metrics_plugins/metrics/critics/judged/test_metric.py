"""Tests of `critic-judgments`, which predicts judgments of other images than those it was fitted on."""

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.errors import FittedOnEvaluation, MissingResource
from metrics_plugins.metrics.critics.judged.metric import FittedCriticJudgments
from metrics_plugins.runtime import cross_fit_metric, fit_metric, run_metric
from tests.metrics_plugins.metrics.critics.judged.tiny import build, make_judged

RNG = np.random.default_rng(0)
NEW = Batch.make(
    ["new-0", "new-1", "new-2"],
    candidates=["a goat in the sun", "two men play chess", "a goat"],
    references=[["a goat in bright sun", "the goat outside"]] * 2 + [[]],
    image_keys=["goat"] * 3,
)


def train(folder: Path, **params: object) -> FittedCriticJudgments:
    judged = make_judged()
    return build(**params).train(judged.batch, judged.targets, RNG, folder=folder)


def test_other_images_are_scored_on_the_scale_of_the_judgments() -> None:
    judged = make_judged()

    fitted = fit_metric(build(), judged.batch, rng=RNG, targets=judged.targets)
    values = run_metric(fitted, NEW, rng=RNG).scores.values

    assert values[:2].tolist() == pytest.approx([4.0, 1.0], abs=0.5)
    assert np.isnan(values[2])
    assert fitted.fitted_on == frozenset(judged.batch.keys)


def test_images_that_were_learned_from_are_refused_whatever_their_keys() -> None:
    judged = make_judged()
    fitted = fit_metric(build(), judged.batch, rng=RNG, targets=judged.targets)
    renamed = Batch.make(["x"], candidates=["a lamp"], references=[["the lamp"]], image_keys=["lamp"])

    with pytest.raises(FittedOnEvaluation, match=r"learned from judgments of 1 of the images .* \(such as 'lamp'\)"):
        run_metric(fitted, renamed, rng=RNG)
    with pytest.raises(FittedOnEvaluation, match="was fitted on 24 of these 24 rows"):
        run_metric(fitted, judged.batch, rng=RNG)


def test_cross_fitted_it_scores_what_it_learned_from() -> None:
    judged = make_judged()

    fitted = cross_fit_metric(build(folds=4), judged, rng=RNG)
    values = run_metric(fitted, judged.batch, rng=RNG).scores.values

    assert len(fitted.models) == 4
    assert (values[0::2] > values[1::2]).all()
    # The very fit of the other folds, made by itself.
    fold = fitted.folds["dog"]
    others = np.flatnonzero([fitted.folds[image] != fold for image in judged.batch.image_keys])
    alone = fit_metric(build(folds=4), judged.batch.select(others), rng=RNG, targets=judged.targets[others])
    np.testing.assert_array_equal(alone.score(judged.batch.select([0, 1]).restrict(alone.info)).values, values[:2])


def test_what_was_learned_is_kept_and_comes_back(tmp_path: Path) -> None:
    fitted = train(tmp_path)
    again = train(tmp_path)
    kept = build(weights=str(tmp_path))
    restored = fit_metric(kept, NEW, rng=RNG)

    expected = fitted.score(NEW.restrict(fitted.info)).values
    for each in (again, restored):
        np.testing.assert_array_equal(each.score(NEW.restrict(each.info)).values, expected)
    assert kept.is_fitted
    assert str(restored.signature) == str(fitted.signature)
    assert f"|weights:{kept.learned.digest}|" in str(fitted.signature)
    assert restored.fitted_on == fitted.fitted_on
    content = (tmp_path / "judgments.json").read_bytes()
    train(tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "judgments.json").read_bytes() == content


def test_folders_that_hold_something_else(tmp_path: Path) -> None:
    train(tmp_path)

    with pytest.raises(MetricError, match="contains a metric fitted on other judgments or with other settings"):
        train(tmp_path, alpha=1.0)
    with pytest.raises(MetricError, match="no other parameter may be set with `weights`"):
        build(weights=str(tmp_path), folds=3)
    with pytest.raises(MissingResource, match=r"holds no critic of judgments: judgments\.json is not there"):
        build(weights=str(tmp_path / "elsewhere"))
    with pytest.raises(MetricError, match="is already fitted"):
        train(tmp_path, weights=str(tmp_path))
    card = json.loads((tmp_path / "judgments.json").read_text())
    (tmp_path / "judgments.json").write_text(json.dumps(card | {"read": {"bleu-1": "0"}}))
    with pytest.raises(MetricError, match=r"learned from features of \{'bleu-1': '0'\}, and they are now of"):
        build(weights=str(tmp_path))
    (tmp_path / "judgments.json").write_text(json.dumps(card | {"ridge": {"degree": 1}}))
    with pytest.raises(MetricError, match=r"judgments\.json: is damaged: field 'ridge': 'center'"):
        build(weights=str(tmp_path))
