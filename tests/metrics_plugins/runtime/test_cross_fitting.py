"""Tests of cross-fitting: no row is scored by a metric fitted on judgments of its image."""

import pickle
from collections.abc import Sequence

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.batches.judged import JudgedRows, assign_folds
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.runtime import cross_fit_metric, fit_on_judgments, run_metric
from metrics_plugins.runtime.cross_fitting import name_judgments
from tests.metrics_plugins.api.examples import Critic, FittedCritic

RNG = np.random.default_rng(0)


def make_batch(images: Sequence[str], *, prefix: str = "") -> Batch:
    keys = [f"{prefix}{image}-{row}" for row, image in enumerate(images)]
    return Batch.make(keys, candidates=["a dog"] * len(images), image_keys=images)


def make_judged(images: Sequence[str], targets: Sequence[float]) -> JudgedRows:
    return JudgedRows(make_batch(images), np.array(targets, dtype=np.float64))


def test_folds_are_dealt_out_by_name_alone() -> None:
    images = [f"image {number}" for number in range(23)]

    folds = assign_folds(images, n_folds=5)

    assert sorted(np.bincount(list(folds.values())).tolist()) == [4, 4, 5, 5, 5]
    assert assign_folds([*reversed(images), *images], n_folds=5) == folds
    # In the order of SHA-256, as `printf dog | sha256sum` gives it: sea 4a69, cat 77af, dog cd63.
    assert assign_folds(["dog", "cat", "sea"], n_folds=2) == {"sea": 0, "cat": 1, "dog": 0}


def test_each_image_is_scored_by_what_learned_from_the_others() -> None:
    judged = make_judged(["dog", "cat", "dog", "sea"], [1.0, 2.0, 3.0, 5.0])

    fitted = cross_fit_metric(Critic(), judged, rng=RNG)
    scores = run_metric(fitted, judged.batch, rng=RNG).scores

    # Three images, three folds: the means of (2, 5), (1, 3, 5), (2, 5) and (1, 2, 3).
    assert scores.values.tolist() == [3.5, 3.0, 3.5, 2.0]
    assert scores.keys == judged.batch.keys
    backwards = judged.batch.select([3, 2, 1, 0])
    assert fitted.score(backwards).values.tolist() == [2.0, 3.5, 3.0, 3.5]
    assert pickle.loads(pickle.dumps(fitted)).score(backwards).values.tolist() == [2.0, 3.5, 3.0, 3.5]  # noqa: S301


def test_a_judgment_changes_no_score_of_its_own_image() -> None:
    images = [f"image {number % 12}" for number in range(40)]
    targets = np.random.default_rng(1).normal(size=40)
    before = cross_fit_metric(Critic(), make_judged(images, targets), rng=RNG).score(make_batch(images)).values

    changed = targets + np.where(np.array(images) == "image 7", 100.0, 0.0)
    after = cross_fit_metric(Critic(), make_judged(images, changed), rng=RNG).score(make_batch(images)).values

    is_own = np.array(images) == "image 7"
    assert (before == after)[is_own].all()
    assert (before != after)[~is_own].any()


def test_other_images_are_scored_and_fits_keep_their_guard() -> None:
    judged = make_judged(["dog", "cat"], [1.0, 2.0])
    fitted = cross_fit_metric(Critic(), judged, rng=RNG)

    assert fitted.score(make_batch(["sun"])).values.tolist()[0] in (1.0, 2.0)
    # The key of what was judged of `cat`, said to be of `dog`.
    moved = Batch.make(["cat-1"], candidates=["a dog"], image_keys=["dog"])
    with pytest.raises(FittedOnEvaluation, match=r"'critic' was fitted on 1 of these 1 rows \(such as 'cat-1'\)"):
        fitted.score(moved)


def test_cross_fitting_is_used_only_for_common_images() -> None:
    judged = make_judged(["dog", "cat"], [1.0, 2.0])

    apart = fit_on_judgments(Critic(), judged, scored={"sun"}, rng=RNG)
    crossed = fit_on_judgments(Critic(), judged, scored={"sun", "cat"}, rng=RNG)

    assert isinstance(apart, FittedCritic)
    assert apart.score(make_batch(["sun"])).values.tolist() == [1.5]
    assert crossed.score(make_batch(["cat"], prefix="new ")).values.tolist() == [1.0]
    named = [str(name_judgments(Critic().signature, judged, scored=each)) for each in ({"sun"}, {"cat"})]
    assert named == [
        f"critic|judgments:{judged.digest}|apart:other-images|v:1",
        f"critic|judgments:{judged.digest}|apart:cross-fitted|v:1",
    ]


def test_digest_tells_judgments_apart_and_not_their_order() -> None:
    judged = make_judged(["dog", "cat"], [1.0, 2.0])
    turned = JudgedRows(judged.batch.select([1, 0]), judged.targets[::-1])

    assert turned.digest == judged.digest
    assert make_judged(["dog", "cat"], [1.0, 2.5]).digest != judged.digest


def test_what_cannot_be_learned_from_is_named() -> None:
    with pytest.raises(MetricError, match="judgments must be finite numbers"):
        make_judged(["dog", "cat"], [1.0, np.nan])
    with pytest.raises(MetricError, match=r"one judgment for each row, got \(1,\)"):
        make_judged(["dog", "cat"], [1.0])
    with pytest.raises(
        MetricError, match=r"'critic' can only be cross-fitted on judgments of two images or more, got 1"
    ):
        cross_fit_metric(Critic(), make_judged(["dog", "dog"], [1.0, 2.0]), rng=RNG)
