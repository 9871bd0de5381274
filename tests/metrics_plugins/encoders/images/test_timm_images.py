"""Tests of timm networks with random weights against timm's own vectors, and of errors about folders.

timm and torchvision stand apart from the other packages (see the Makefile), and run in a process of their own.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.encoders.tiny import draw_shared_images, write_json

ROOT = Path(__file__).resolve().parents[4]
APART = Path(sys.prefix) / "apart"
PROGRAM = Path(__file__).with_name("with_timm.py")


def start_apart(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with timm and torchvision on its path; where they are missing, fail under CI=true, else skip."""
    if not (APART / "timm").is_dir():
        message = "this test needs timm, which stands apart from other packages; to get it: make setup-all"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{APART}"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where a process with timm wrote what it found."""
    folder = tmp_path_factory.mktemp("timm")
    result = start_apart(str(PROGRAM), str(folder))
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def vectors(found: Path) -> Mapping[str, np.ndarray]:
    with np.load(found / "vectors.npz") as arrays:
        return dict(arrays)


@pytest.mark.parametrize(
    ("name", "dimension"), [("test_resnet", 96), ("test_vit", 64), ("test_efficientnet", 256), ("resnet18", 512)]
)
def test_same_vectors_as_timm_and_torchvision(name: str, dimension: int, vectors: Mapping[str, np.ndarray]) -> None:
    ours, theirs = vectors[f"{name} ours"], vectors[f"{name} timm"]

    assert ours.shape == (4, dimension)
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5 * np.abs(theirs).max())
    # Different images are told apart by far more than that.
    assert np.abs(ours[:, None] - ours).max(axis=2)[~np.eye(4, dtype=bool)].min() > 1e-2 * np.abs(theirs).max()


def test_bfloat16_has_nearly_the_same_vectors(vectors: Mapping[str, np.ndarray]) -> None:
    difference = np.abs(vectors["test_vit half"] - vectors["test_vit ours"]).max()

    assert 0 < difference < 0.1


def test_older_folder_has_the_same_vectors(vectors: Mapping[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(vectors["older ours"], vectors["test_resnet ours"])


def test_no_images(vectors: Mapping[str, np.ndarray]) -> None:
    assert vectors["nothing ours"].shape == (0, 64)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pickled", "MissingResource: the encoder {folder} needs model.safetensors in {folder}; pickled weights are "),
        ("truncated", "MetricError: {folder}/model.safetensors: is damaged or no safetensors file: "),
        ("lacking", 'MetricError: {folder}/model.safetensors: does not fit config.json beside it, .*"layer1.0.conv1'),
        ("other", "MetricError: {folder}/model.safetensors: does not fit config.json beside it, .*Missing key"),
        ("not finite", "MetricError: encoder 'not-finite' gives numbers that are not finite: "),
        ("unknown", r"MetricError: {folder}: timm [\d.]+ knows no architecture 'resnet_of_nobody'$"),
        ("unpooled", r"MetricError: {folder}: must give one vector for an image, got numbers of the shape \(96, 5, 5"),
    ],
)
def test_folders_that_are_no_good(name: str, message: str, found: Path) -> None:
    said = json.loads((found / "messages.json").read_text())[name]

    assert re.match(message.replace("{folder}", re.escape(str(found / name))), said), said


def test_digest_changes_with_precision_weights_and_preparation(found: Path) -> None:
    digests = json.loads((found / "digests.json").read_text())

    assert len(set(digests)) == len(digests) == 4
    assert all(len(digest) == 12 for digest in digests)


@pytest.mark.skipif(find_spec("timm") is not None, reason="timm is installed here beside the other packages")
def test_timm_that_is_not_installed(tmp_path: Path) -> None:
    write_json(tmp_path / "config.json", {"architecture": "resnet18"})

    with pytest.raises(MissingResource, match=r"^encoder '.*' needs torchvision, which is not installed: .* pip "):
        load_registry().get_encoder(str(tmp_path))


def test_torchvision_of_another_torch_is_told(found: Path) -> None:
    program = """
import sys, torch
from metrics_plugins.api import MetricError
from metrics_plugins.runtime import load_registry
if torch.version.cuda or torch.version.hip:
    sys.exit("this torchvision may fit")
for name, value in ((sys.argv[1], sys.argv[2]), ("minilm", "a dog")):
    for _ in range(2):
        try:
            load_registry().get_encoder(name).encode([value])
        except MetricError as error:
            print(error)
"""
    result = start_apart("-c", program, str(found / "test_resnet"), str(draw_shared_images()[0]))
    if "this torchvision may fit" in result.stderr:
        pytest.skip("torch and torchvision are both built for an accelerator here")
    lines = result.stdout.splitlines()

    assert result.returncode == 0, result.stderr
    assert len(lines) == 4
    for line in lines[:2]:
        assert re.match(r"timm cannot be imported: torchvision 0\.[\d.+a-z]+ must be built for torch 2\.", line), line
    for line in lines[2:]:
        assert line.startswith("transformers cannot be imported beside the packages that are installed (a torchvision")
