"""The part of the tests of timm that runs in a separate process: `python with_timm.py FOLDER`, with timm on the path.

Writes to FOLDER what our encoder and timm itself make of the same images and the same random weights: `vectors.npz`
(`NAME ours` and `NAME timm`) and `messages.json` (what is said of folders that are no good).
"""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

if torch.version.cuda is None and torch.version.hip is None:
    # pip's torchvision for Linux is built for CUDA. Beside a torch without it, its compiled operators are missing, of
    # which no network needs one: declared by name, they let it be imported.
    OPERATORS = torch.library.Library("torchvision", "DEF")
    for operator in ("nms", "qnms"):
        OPERATORS.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import timm
import torchvision
from PIL import Image
from safetensors.torch import load_file, save_file

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.encoders.tiny import draw_shared_images, write_json

ARCHITECTURES = ("test_resnet", "test_vit", "test_efficientnet")
Arrays = dict[str, np.ndarray]


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    images = draw_shared_images()
    vectors: Arrays = {}
    for architecture in ARCHITECTURES:
        write_folder(folder / architecture)
        vectors[f"{architecture} ours"] = encode(folder / architecture, images)
        vectors[f"{architecture} timm"] = encode_by_timm(folder / architecture, images)
    vectors["test_vit half"] = encode(Path(f"{folder / 'test_vit'}@bfloat16"), images)
    vectors |= encode_state_of_torchvision(folder / "resnet18", images)
    vectors["older ours"] = encode(write_older(folder / "test_resnet", folder / "older"), images)
    vectors["nothing ours"] = encode(folder / "test_vit", [])
    np.savez(folder / "vectors.npz", **vectors)
    write_json(folder / "messages.json", list_messages(folder / "test_resnet", folder))
    write_json(folder / "digests.json", list_digests(folder / "test_vit"))


def write_folder(folder: Path) -> None:
    """Write random weights of the architecture that the folder is named after, as timm publishes its own."""
    torch.manual_seed(0)
    network = timm.create_model(folder.name)
    # Statistics of a network that has never seen an image would leave all images nearly the same.
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_var.fill_(0.5)
    timm.models.save_for_hf(network, folder, safe_serialization=True)


def write_older(whole: Path, folder: Path) -> Path:
    """Write a folder as timm did before version 0.9: what is said of the weights stands beside the architecture."""
    shutil.copytree(whole, folder)
    config = json.loads((folder / "config.json").read_text())
    write_json(folder / "config.json", config.pop("pretrained_cfg") | config)
    return folder


def encode(folder: Path, images: Sequence[Path]) -> np.ndarray:
    return load_registry().get_encoder(str(folder)).encode(list(images))


def encode_by_timm(folder: Path, images: Sequence[Path]) -> np.ndarray:
    network = timm.create_model(f"local-dir:{folder}", pretrained=True).eval()
    prepare = timm.data.create_transform(**timm.data.resolve_data_config(model=network))
    return compute(
        lambda pixels: network.forward_head(network.forward_features(pixels), pre_logits=True), prepare, images
    )


def encode_state_of_torchvision(folder: Path, images: Sequence[Path]) -> Arrays:
    """Encode with a network of torchvision, and with its state in a folder, as docs/critics.md says to do it."""
    torch.manual_seed(0)
    network = torchvision.models.resnet18()
    folder.mkdir()
    save_file(network.state_dict(), folder / "model.safetensors")
    write_json(
        folder / "config.json",
        {"architecture": "resnet18", "pretrained_cfg": {"interpolation": "bilinear", "crop_pct": 0.875}},
    )
    network.fc = torch.nn.Identity()
    prepare = torchvision.transforms._presets.ImageClassification(crop_size=224)
    return {"resnet18 ours": encode(folder, images), "resnet18 timm": compute(network.eval(), prepare, images)}


def compute(network: Callable[[Any], Any], prepare: Callable[[Any], Any], images: Sequence[Path]) -> np.ndarray:
    with torch.inference_mode():
        return np.stack([network(prepare(Image.open(path).convert("RGB"))[None])[0].numpy() for path in images])


def list_messages(whole: Path, folder: Path) -> dict[str, str]:
    """Return what is said of folders that are no good, by what is wrong with them."""

    def say(name: str, spoil: Callable[[Path], object]) -> str:
        copy = Path(shutil.copytree(whole, folder / name))
        spoil(copy)
        try:
            encode(copy, draw_shared_images()[:1])
        except (MetricError, MissingResource) as error:
            return f"{type(error).__name__}: {error}"
        return "nothing"

    return {
        "pickled": say("pickled", lambda copy: (copy / "model.safetensors").rename(copy / "pytorch_model.bin")),
        "truncated": say("truncated", lambda copy: cut(copy / "model.safetensors")),
        "lacking": say("lacking", lambda copy: change(copy, lambda state: state.pop("layer1.0.conv1.weight"))),
        "other": say("other", lambda copy: shutil.copy(folder / "test_vit" / "model.safetensors", copy)),
        "not finite": say("not-finite", lambda copy: change(copy, lambda state: state["bn1.weight"].fill_(torch.nan))),
        "unknown": say("unknown", lambda copy: configure(copy, architecture="resnet_of_nobody")),
        "unpooled": say("unpooled", lambda copy: configure(copy, global_pool="", model_args={"num_classes": 0})),
    }


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def change(folder: Path, spoil: Callable[[dict[str, Any]], object]) -> None:
    state = load_file(folder / "model.safetensors")
    spoil(state)
    save_file(state, folder / "model.safetensors")


def configure(folder: Path, **fields: object) -> None:
    path = folder / "config.json"
    write_json(path, json.loads(path.read_text()) | fields)


def list_digests(folder: Path) -> list[str]:
    """Return digests of the encoder as it is, in bfloat16, and with other weights or another preparation."""
    registry = load_registry()
    digests = [registry.get_encoder(name).digest for name in (str(folder), f"{folder}@bfloat16")]
    change(folder, lambda state: state["cls_token"].add_(1.0))
    digests.append(registry.get_encoder(str(folder)).digest)
    configure(folder, pretrained_cfg={"input_size": [3, 160, 160], "crop_pct": 0.9})
    return [*digests, registry.get_encoder(str(folder)).digest]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
