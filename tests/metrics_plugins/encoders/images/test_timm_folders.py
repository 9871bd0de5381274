"""Tests of reading folders of timm, and of unsupported ones."""

from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.encoders.images.pictures import PictureSettings
from metrics_plugins.encoders.images.timm_folders import TimmFolder, is_timm_folder
from tests.metrics_plugins.encoders.tiny import write_json

PREPARED = {"input_size": [3, 160, 160], "crop_pct": 0.95, "interpolation": "bilinear", "mean": [0.5] * 3}


def write_folder(folder: Path, config: object) -> Path:
    write_json(folder / "config.json", config)
    (folder / "model.safetensors").write_bytes(b"")
    return folder


def test_which_folders_are_of_timm(tiny_folder: Path, tmp_path: Path) -> None:
    assert not is_timm_folder(tiny_folder)
    assert not is_timm_folder(tmp_path)
    assert is_timm_folder(write_folder(tmp_path, {"architecture": "resnet18"}))


@pytest.mark.parametrize("config", [{"pretrained_cfg": PREPARED}, PREPARED], ids=["beside", "older: in one"])
def test_preparation(config: dict, tmp_path: Path) -> None:
    folder = TimmFolder.read(write_folder(tmp_path, {"architecture": "resnet18"} | config))

    assert folder.architecture == "resnet18"
    assert folder.pictures == PictureSettings(
        shorter_side=168,
        height=160,
        width=160,
        mean=(0.5, 0.5, 0.5),
        deviation=(0.229, 0.224, 0.225),
        interpolation="bilinear",
        rounds_middle=True,
    )


def test_timms_own_choices_where_nothing_is_said(tmp_path: Path) -> None:
    pictures = TimmFolder.read(write_folder(tmp_path, {"architecture": "resnet18"})).pictures

    assert (pictures.shorter_side, pictures.height, pictures.interpolation) == (256, 224, "bicubic")
    assert pictures.mean == (0.485, 0.456, 0.406)


def test_weights_are_those_of_the_folder(tmp_path: Path) -> None:
    config = {
        "architecture": "resnet18",
        "num_classes": 10,
        "global_pool": "avg",
        "model_args": {"in_chans": 3, "pretrained": False, "pretrained_cfg": {}},
        "pretrained_cfg": {"url": "https://example.org/x.pth", "hf_hub_id": "timm/x", "num_classes": 1000},
    }

    arguments = TimmFolder.read(write_folder(tmp_path, config)).read_arguments()

    assert arguments == {
        "pretrained": True,
        "pretrained_cfg": {"num_classes": 10, "file": str(tmp_path / "model.safetensors")},
        "num_classes": 10,
        "global_pool": "avg",
        "in_chans": 3,
    }


def test_what_older_folders_say_of_the_network_is_not_said_of_its_weights(tmp_path: Path) -> None:
    older = {"architecture": "resnet18", "num_features": 512, "global_pool": "avg", "labels": [], "classifier": "fc"}

    arguments = TimmFolder.read(write_folder(tmp_path, older)).read_arguments()

    assert arguments["global_pool"] == "avg"
    assert arguments["pretrained_cfg"] == {"classifier": "fc", "file": str(tmp_path / "model.safetensors")}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"input_size": [1, 160, 160]}, "must ask for three colours, a square"),
        ({"input_size": [3, 160, 128]}, "must ask for three colours, a square"),
        ({"crop_mode": "squash"}, "must ask for three colours, a square"),
        ({"crop_border_pixels": 4}, "must ask for three colours, a square"),
        ({"interpolation": "lanczos"}, "must ask for three colours, a square"),
        ({"crop_pct": 1.5}, "must ask for three colours, a square"),
        ({"input_size": [3, 160]}, "input_size, crop_pct, mean and std of pretrained_cfg must be numbers, got: not"),
        ({"crop_pct": "most"}, "input_size, crop_pct, mean and std of pretrained_cfg must be numbers, got: could"),
        ({"mean": [0.5]}, "input_size, crop_pct, mean and std of pretrained_cfg must be numbers, got: 1 colours"),
    ],
)
def test_what_is_not_supported(change: dict, message: str, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"architecture": "resnet18", "pretrained_cfg": PREPARED | change})

    with pytest.raises(MetricError) as caught:
        TimmFolder.read(folder)

    assert str(caught.value).startswith(f"{folder / 'config.json'}: {message}")


def test_missing_weights(tmp_path: Path) -> None:
    (write_folder(tmp_path, {"architecture": "resnet18"}) / "model.safetensors").unlink()

    with pytest.raises(MissingResource, match=f"^the encoder {tmp_path} needs model.safetensors in {tmp_path}$"):
        TimmFolder.read(tmp_path)
