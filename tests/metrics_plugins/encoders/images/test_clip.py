"""Tests of CLIP for texts and images, and of invalid folders."""

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.providers import Encoder
from metrics_plugins.encoders.images.clip import ClipEncoder, is_clip_folder
from tests.metrics_plugins.encoders.tiny import draw_shared_images, open_shared_clip, write_json


def _open(folder: Path, **options: object) -> ClipEncoder:
    return ClipEncoder.open(folder, name="clip", **options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(open_shared_clip(), tmp_path / "clip"))


def test_texts_and_images_in_any_order() -> None:
    encoder = _open(open_shared_clip())
    first, second, *_ = draw_shared_images()
    texts, images = encoder.encode(["a dog", "a cat"]), encoder.encode([first, second])

    mixed = encoder.encode([second, "a cat", first, "a dog"])

    assert isinstance(encoder, Encoder)
    np.testing.assert_array_equal(mixed, [images[1], texts[1], images[0], texts[0]])
    assert encoder.encode([]).shape == (0, 24)


def test_a_text_that_is_a_path_is_a_text() -> None:
    encoder = _open(open_shared_clip())
    path = draw_shared_images()[0]

    assert not np.array_equal(encoder.encode([str(path)]), encoder.encode([path]))


def test_long_texts_are_cut() -> None:
    encoder = _open(open_shared_clip())

    assert np.isfinite(encoder.encode(["a dog runs " * 200, ""])).all()


def test_encoder_can_be_pickled() -> None:
    encoder = _open(open_shared_clip())
    vectors = encoder.encode(["a dog"])
    copy = pickle.loads(pickle.dumps(encoder))  # noqa: S301  what we wrote

    assert copy == encoder
    np.testing.assert_array_equal(copy.encode(["a dog"]), vectors)


def test_bfloat16() -> None:
    whole, half = _open(open_shared_clip()), _open(open_shared_clip(), precision="bfloat16")
    inputs = ["a dog runs", draw_shared_images()[0]]

    cosine = (whole.encode(inputs) * half.encode(inputs)).sum(axis=1)
    lengths = np.linalg.norm(whole.encode(inputs), axis=1) * np.linalg.norm(half.encode(inputs), axis=1)

    assert half.digest != whole.digest
    assert (cosine / lengths > 0.99).all()


def test_which_folders_are_clips(tiny_folder: Path, tmp_path: Path) -> None:
    assert is_clip_folder(open_shared_clip())
    assert not is_clip_folder(tiny_folder)
    assert not is_clip_folder(tmp_path)


@pytest.mark.parametrize("name", ["preprocessor_config.json", "tokenizer.json", "model.safetensors"])
def test_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()

    with pytest.raises(MissingResource, match=f"^the encoder {folder} needs {name} in {folder}$"):
        _open(folder)


def test_damaged_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-10])

    with pytest.raises(MetricError, match=f"^{path}: is damaged or no safetensors file: "):
        _open(folder).encode(["a dog"])


def test_clip_without_a_common_space_is_refused(folder: Path) -> None:
    write_json(folder / "config.json", {"model_type": "clip"})

    with pytest.raises(MetricError, match=f"^{folder}/config.json: 'projection_dim' must be a whole number, got None$"):
        _open(folder)
