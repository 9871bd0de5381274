"""Tests of folders of weights: complete, missing, damaged or of another version."""

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.critics.lstm.model.weights import Weights
from tests.metrics_plugins.metrics.critics.lstm.tiny import build, train


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    train(tmp_path, epochs=1)
    return tmp_path


def change_card(folder: Path, **fields: object) -> None:
    card = json.loads((folder / "critic.json").read_text())
    (folder / "critic.json").write_text(json.dumps(card | fields))


def test_written_weights_come_back(folder: Path) -> None:
    weights = Weights.read(folder)

    assert weights.settings.hidden == 8
    assert weights.image_ids == {f"image {number}" for number in range(24)}
    assert {name: (values.shape, values.dtype) for name, values in weights.tensors.items()} == {
        "embedding.weight": ((4 + len(weights.vocabulary.words), 6), np.float32),
        "lstm.weight_ih_l0": ((32, 6), np.float32),
        "lstm.weight_hh_l0": ((32, 8), np.float32),
        "lstm.bias_ih_l0": ((32,), np.float32),
        "lstm.bias_hh_l0": ((32,), np.float32),
        "output.weight": ((2, 64), np.float32),
        "output.bias": ((2,), np.float32),
    }
    assert f"weights:{weights.digest}" in str(build(weights=str(folder)).signature)


def test_missing_weights_say_how_to_get_them(folder: Path, tmp_path: Path) -> None:
    (folder / "weights.safetensors").unlink()

    with pytest.raises(MissingResource, match=r"weights.safetensors is not there, .*: fit it again"):
        build(weights=str(folder))
    with pytest.raises(MissingResource, match=r"elsewhere holds no critic: .*`python -m metrics_plugins fit`"):
        build(weights=str(tmp_path / "elsewhere"))


def test_damaged_weights_are_refused(folder: Path) -> None:
    content = (folder / "weights.safetensors").read_bytes()
    (folder / "weights.safetensors").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    with pytest.raises(MetricError, match=r"weights.safetensors: is damaged: its content is not what was written"):
        build(weights=str(folder))


def test_damaged_card_is_refused(folder: Path) -> None:
    (folder / "critic.json").write_text("{")

    with pytest.raises(MetricError, match=r"critic.json: is damaged: it must be JSON"):
        build(weights=str(folder))


def test_other_version_is_refused(folder: Path) -> None:
    change_card(folder, format="accordance critic-lstm 0")

    with pytest.raises(MetricError, match=r"of the format 'accordance critic-lstm 1', got 'accordance critic-lstm 0'"):
        build(weights=str(folder))


def test_unknown_choice_is_refused(folder: Path) -> None:
    card = json.loads((folder / "critic.json").read_text())
    change_card(folder, settings=card["settings"] | {"colour": "red"})

    with pytest.raises(MetricError, match="got another 'colour'"):
        build(weights=str(folder))


def test_weights_come_with_their_own_choices(folder: Path) -> None:
    with pytest.raises(MetricError, match="only `features` may be set with `weights`"):
        build(weights=str(folder), hidden=8)
