"""Tests that the settings in a folder are applied, or rejected by name."""

from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.encoders.sentence_folders import SentenceFolder, read_sentence_folder
from tests.metrics_plugins.encoders.tiny import DIMENSION, make_folder, write_json


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "model")


def test_folder_of_sentence_transformers(folder: Path) -> None:
    assert read_sentence_folder(folder) == SentenceFolder(
        transformer=folder, pooling="mean", normalizes=True, max_tokens=16, lowercases=True, dimension=DIMENSION
    )


def test_older_format_of_the_pooling_is_read(folder: Path) -> None:
    modes = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": False}
    write_json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": DIMENSION, **modes})

    assert read_sentence_folder(folder).pooling == "cls"


def test_transformer_alone(folder: Path) -> None:
    (folder / "modules.json").unlink()
    (folder / "sentence_bert_config.json").unlink()

    assert read_sentence_folder(folder) == SentenceFolder(
        transformer=folder, pooling="mean", normalizes=False, max_tokens=64, lowercases=False, dimension=DIMENSION
    )


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()

    with pytest.raises(MissingResource, match=f"^the encoder {folder} needs {name} in {folder}$"):
        read_sentence_folder(folder)


def test_pickled_weights_are_not_read(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")

    with pytest.raises(MissingResource, match="pickled weights are not read, because they can run anything"):
        read_sentence_folder(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "max"}, "pooling must be 'mean' or 'cls', got max"),
        ("1_Pooling/config.json", {}, "pooling must be 'mean' or 'cls', got none"),
        ("modules.json", [{"type": "x.Dense"}], "parts must be Transformer, Pooling, Normalize, got 'x.Dense'"),
        ("modules.json", {}, "must hold a list of JSON objects, got dict"),
        ("config.json", [], "must hold a JSON object, got list"),
        ("config.json", {"hidden_size": "wide"}, "'hidden_size' must be a whole number, got 'wide'"),
    ],
)
def test_what_is_not_supported(folder: Path, name: str, content: object, message: str) -> None:
    write_json(folder / name, content)

    with pytest.raises(MetricError) as caught:
        read_sentence_folder(folder)

    assert str(caught.value) == f"{folder / name}: {message}"
