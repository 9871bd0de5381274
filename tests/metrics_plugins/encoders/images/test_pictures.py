"""Tests that images are preprocessed as in transformers, and that invalid images are named."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.images.pictures import PictureSettings, digest_picture, prepare_pictures
from tests.metrics_plugins.encoders.tiny import draw_shared_images, open_shared_clip, write_json

SETTINGS = {"size": {"shortest_edge": 40}, "crop_size": {"height": 32, "width": 36}, "resample": 3}
COLOURS = {"image_mean": [0.5, 0.4, 0.3], "image_std": [0.2, 0.3, 0.4]}


def test_same_numbers_as_transformers(tmp_path: Path) -> None:
    from PIL import Image
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    path = tmp_path / "preprocessor_config.json"
    write_json(path, SETTINGS | COLOURS)
    images = [Image.open(image).convert("RGB") for image in draw_shared_images()]

    pixels = prepare_pictures(draw_shared_images(), PictureSettings.read(path))

    expected = CLIPImageProcessorPil(**SETTINGS, **COLOURS)(images=images, return_tensors="np")["pixel_values"]
    np.testing.assert_allclose(pixels, np.stack(expected), atol=1e-6)
    assert pixels.shape == (4, 3, 32, 36)


def test_older_format_of_the_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "preprocessor_config.json"
    write_json(path, {"size": 40, "crop_size": 32, **COLOURS})

    assert PictureSettings.read(path) == PictureSettings(
        shorter_side=40, height=32, width=32, mean=(0.5, 0.4, 0.3), deviation=(0.2, 0.3, 0.4)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"crop_size": None}, "must hold size.shortest_edge, crop_size, image_mean and image_std, got: "),
        ({"do_normalize": False}, "must resize (bicubic), crop, rescale and normalise, got "),
        ({"resample": 2}, "must resize (bicubic), crop, rescale and normalise, got "),
        ({"size": 20}, "must resize (bicubic), crop, rescale and normalise, got "),
    ],
)
def test_what_is_not_supported(change: dict, message: str, tmp_path: Path) -> None:
    path = tmp_path / "preprocessor_config.json"
    write_json(path, SETTINGS | COLOURS | change)

    with pytest.raises(MetricError) as caught:
        PictureSettings.read(path)

    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("content", [b"", b"no image", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_invalid_images_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(content)
    settings = PictureSettings.read(open_shared_clip() / "preprocessor_config.json")

    with pytest.raises(MetricError, match=f"^{path}: cannot be read as an image: "):
        prepare_pictures([path], settings)


def test_truncated_images_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    content = draw_shared_images()[0].read_bytes()
    path.write_bytes(content[: len(content) // 2])
    settings = PictureSettings.read(open_shared_clip() / "preprocessor_config.json")

    with pytest.raises(MetricError, match=f"^{path}: cannot be read as an image: "):
        prepare_pictures([path], settings)


def test_digest_is_that_of_the_content(tmp_path: Path) -> None:
    first, second, *_ = draw_shared_images()
    path = tmp_path / "x.png"
    path.write_bytes(first.read_bytes())
    before = digest_picture(path)
    path.write_bytes(second.read_bytes())

    assert before == digest_picture(first)
    assert digest_picture(path) == digest_picture(second) != before


def test_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.png"

    with pytest.raises(MetricError, match=f"^{path}: cannot be read as an image: No such file or directory$"):
        digest_picture(path)
