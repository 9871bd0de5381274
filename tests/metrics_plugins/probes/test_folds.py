"""Tests of the two-fold protocol."""

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.probes.folds import score_by_folds
from tests.metrics_plugins.metrics.critics.lstm.tiny import build, make_batch


def make_systems(n_images: int) -> tuple[dict[str, dict[str, str]], dict[str, tuple[str, ...]]]:
    batch = make_batch(n_images)
    references = dict(zip(batch.keys, batch.references, strict=True))
    systems = {
        "machine": dict(zip(batch.keys, batch.candidates, strict=True)),
        "person": {image: captions[0] for image, captions in references.items()},
    }
    return systems, {image: captions[1:] for image, captions in references.items()}


def test_person_is_above_machine() -> None:
    systems, references = make_systems(48)
    metric = build(epochs=10, dropout=0.1, negatives="machine")

    machine, person = score_by_folds(metric, systems, references, seeds=(0, 1))

    assert (machine.system, person.system) == ("machine", "person")
    assert machine.score < 0.2 < person.score


def test_every_image_is_scored_once_by_each_seed() -> None:
    systems, references = make_systems(10)

    (found, _) = score_by_folds(build(epochs=1), systems, references, seeds=(3, 4, 5))

    assert found.image_ids == tuple(references)
    assert found.values.shape == (3, 10)
    assert np.isfinite(found.values).all()
    assert found.by_seed == tuple(found.values.mean(axis=1))
    assert found.score == pytest.approx(found.values.mean())


def test_same_seeds_give_the_same_scores() -> None:
    systems, references = make_systems(8)

    first, second, other = (
        score_by_folds(build(epochs=1), systems, references, seeds=(seed,))[0].values for seed in (0, 0, 1)
    )

    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_image_without_references_is_named() -> None:
    systems, references = make_systems(8)
    del references["image 3"]

    with pytest.raises(MetricError, match="system 'machine': image 'image 3' has no references"):
        score_by_folds(build(), systems, references, seeds=(0,))


def test_too_few_images_are_refused() -> None:
    systems, references = make_systems(3)

    with pytest.raises(MetricError, match="two folds need at least 4 images, got 3"):
        score_by_folds(build(), systems, references, seeds=(0,))
