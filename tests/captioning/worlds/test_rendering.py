"""Tests that images have the same bytes as in the original generator."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from captioning.worlds.model import Entity, World
from captioning.worlds.rendering import render_world
from tests.captioning.worlds.samples import read_sample


def test_sample_images_are_equal_in_every_byte(data_folder: Path) -> None:
    sample = read_sample(data_folder, "existential-full")

    for number, world in enumerate(sample.worlds):
        with Image.open(data_folder / f"shapeworld/existential-full/world-{number}.png") as image:
            assert np.array_equal(render_world(world), np.asarray(image.convert("RGB"))), f"world {number}"


def test_later_entities_are_in_front_and_shades_show() -> None:
    back = Entity("square", "red", 0.0, 0.5, 0.5, 0.3, 0.3, 0.0)
    front = Entity("circle", "blue", -0.5, 0.5, 0.5, 0.1, 0.1, 0.0)

    image = render_world(World((back, front), size=64))

    assert image[32, 32].tolist() == [0, 0, 127]
    assert image[32, 20].tolist() == [255, 0, 0]
    assert image[0, 0].tolist() == [0, 0, 0]


def test_noise_needs_a_generator_and_repeats_with_its_seed() -> None:
    world = World((), size=16, background="white")

    first, second = (render_world(world, noise=0.1, rng=np.random.default_rng(3)) for _ in range(2))

    assert np.array_equal(first, second)
    # Cut at two deviations: no byte is below 255 * (1 - 0.2).
    assert 204 <= first.min() < 250
    with pytest.raises(ValueError, match="needs `rng`"):
        render_world(world, noise=0.1)
