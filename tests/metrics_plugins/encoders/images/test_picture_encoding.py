"""Tests that each distinct image is computed once, in tiles, and that invalid numbers are rejected."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.images.picture_encoding import encode_pictures
from metrics_plugins.encoders.images.pictures import PictureSettings
from tests.metrics_plugins.encoders.tiny import draw_shared_images

SETTINGS = PictureSettings(shorter_side=8, height=8, width=8, mean=(0.0,) * 3, deviation=(1.0,) * 3)


def _encode(paths: list[Path], shapes: list[tuple[int, ...]], *, scale: float = 1.0) -> np.ndarray:
    def average(pixels):
        shapes.append(tuple(pixels.shape))
        return pixels.mean(dim=(2, 3)) * scale

    return encode_pictures(
        paths,
        name="colours",
        digest=f"colours-{scale}",
        dimension=3,
        settings=SETTINGS,
        device="cpu",
        open_forward=lambda: average,
    )


def test_equal_texts_are_stored_once(tmp_path: Path) -> None:
    first, second, *_ = draw_shared_images()
    copy = tmp_path / "copy.png"
    copy.write_bytes(first.read_bytes())
    shapes: list[tuple[int, ...]] = []

    vectors = _encode([first, second, copy, first], shapes)

    assert shapes == [(1, 3, 8, 8)] * 2
    np.testing.assert_array_equal(vectors[[0, 0]], vectors[[2, 3]])
    assert not np.array_equal(vectors[0], vectors[1])
    np.testing.assert_array_equal(_encode([second], shapes), vectors[[1]])
    assert len(shapes) == 2


def test_no_images() -> None:
    assert _encode([], []).shape == (0, 3)


def test_numbers_that_are_none() -> None:
    with pytest.raises(MetricError, match=r"^encoder 'colours' gives numbers that are not finite: "):
        _encode([draw_shared_images()[0]], [], scale=float("inf"))
