"""Tests of contrastive learning on artificial tokens."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from metrics_plugins.api import MetricError
from metrics_plugins.api.progress import pass_on
from metrics_plugins.metrics.critics.reference.contrasting import TokenMaterial, _compare, _pad, contrast
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings
from metrics_plugins.metrics.critics.reference.spaces import Space

SETTINGS = CriticReferenceSettings(steps=60, seeds=6, near=2, neighbours=4, rate=0.01, hold=0.0)
IDENTITY = Space(np.zeros(4, np.float32), np.eye(4, dtype=np.float32))


def make_material(n_images: int = 12) -> TokenMaterial:
    """Tokens say their image in the first two numbers; the other two are noise, and larger."""
    rng = np.random.default_rng(0)
    captions = []
    for image in range(n_images):
        angle = 2 * np.pi * image / n_images
        told = np.array([np.cos(angle), np.sin(angle), 0.0, 0.0])
        texts = [told + rng.normal(size=(3 + caption, 4)) * [0.05, 0.05, 1.0, 1.0] for caption in range(3)]
        captions.append([(text / np.linalg.norm(text, axis=1, keepdims=True)).astype(np.float32) for text in texts])
    near = np.array([[(image + step) % n_images for step in (1, -1, 2, -2)] for image in range(n_images)])
    return TokenMaterial(captions, None, near)


def learn(material: TokenMaterial, settings: CriticReferenceSettings = SETTINGS) -> Space:
    return contrast(material, IDENTITY, settings, rng=np.random.default_rng(1), device="cpu", track=pass_on)


def find_share_told_right(material: TokenMaterial, space: Space) -> float:
    """Return of how many images the second caption is nearest to the first of its own image."""
    looks = [[torch.nn.functional.normalize(torch.tensor(text @ space.directions), dim=-1) for text in own[:2]]
             for own in material.captions]  # fmt: skip
    likeness = [
        [float(((a @ b.T).amax(1).mean() + (a @ b.T).amax(0).mean()) / 2) for b in (own[1] for own in looks)]
        for a in (own[0] for own in looks)
    ]
    return float((np.argmax(likeness, axis=1) == np.arange(len(looks))).mean())


def test_learning_finds_what_tells_images_apart() -> None:
    material = make_material()

    space = learn(material)

    assert find_share_told_right(material, IDENTITY) < 0.6
    assert find_share_told_right(material, space) > 0.8
    told, noise = np.linalg.norm(space.directions[:2]), np.linalg.norm(space.directions[2:])
    assert told > 1.5 * noise


def test_no_steps_leave_the_space_as_it_is() -> None:
    space = learn(make_material(), replace(SETTINGS, steps=0))

    assert space.directions.tobytes() == IDENTITY.directions.tobytes()


def test_same_seed_gives_the_same_bytes() -> None:
    first, second = (learn(make_material(), replace(SETTINGS, steps=5)) for _ in range(2))

    assert first.directions.tobytes() == second.directions.tobytes()


def test_the_hold_penalty_keeps_the_space_near_its_initial_value() -> None:
    free, held = (learn(make_material(), replace(SETTINGS, hold=hold)) for hold in (0.0, 1.0))

    moved = [np.linalg.norm(space.directions - IDENTITY.directions) for space in (free, held)]
    assert moved[1] < 0.5 * moved[0]


def test_altered_captions_change_what_is_learned() -> None:
    material = make_material()
    altered = [[text[:, ::-1].copy() for text in own] for own in material.captions]

    without, beside = (learn(each) for each in (material, replace(material, altered=altered)))

    assert not np.allclose(without.directions, beside.directions, atol=1e-3)


def test_loss_that_is_no_number_is_told() -> None:
    material = make_material()
    broken = [[text * np.float32(np.nan) for text in own] for own in material.captions]

    with pytest.raises(MetricError, match=r"the loss of step 0 is not a number; try a lower rate"):
        learn(replace(material, captions=broken))


def test_comparison_is_the_mean_of_precision_and_recall() -> None:
    material = make_material()
    texts = [own[0] for own in material.captions[:3]] + [own[2] for own in material.captions[:3]]

    vectors, there = (torch.tensor(each) for each in _pad(texts))
    found = _compare(vectors[:3], there[:3], vectors[3:], there[3:])

    expected = [
        [((a @ b.T).max(axis=1).mean() + (a @ b.T).max(axis=0).mean()) / 2 for b in texts[3:]] for a in texts[:3]
    ]
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-6)


def test_of_long_texts_the_first_tokens_count() -> None:
    text = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)

    vectors, there = _pad([text, text[:2]])

    assert vectors.shape == (2, 24, 4)
    assert there.sum(axis=1).tolist() == [24, 2]
    np.testing.assert_array_equal(vectors[0], text[:24])
