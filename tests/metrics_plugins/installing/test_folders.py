"""Tests of switching on a folder of weights without a restart."""

import hashlib
from pathlib import Path

import pytest

from metrics_plugins.api import MetricError, resources
from metrics_plugins.api.resources import find_path
from metrics_plugins.encoders.weights import CLIP, CLIP_VARIABLE
from metrics_plugins.installing import folders
from metrics_plugins.installing.folders import FolderRefused, check_clip_folder, choose_clip_folder
from tests.metrics_plugins.encoders.tiny import open_shared_clip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CLIP_VARIABLE, raising=False)
    for module in (resources, folders):
        monkeypatch.setattr(module, "CHOSEN_PATHS", tmp_path / "paths.json")


def test_folder_is_found_at_once_and_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not CLIP.is_present
    folder = open_shared_clip()
    digest = check_clip_folder(folder)

    choose_clip_folder(folder)

    assert digest == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert (CLIP.is_present, find_path(CLIP_VARIABLE)) == (True, str(folder.resolve()))
    monkeypatch.setenv(CLIP_VARIABLE, "/elsewhere")
    assert (CLIP.is_present, find_path(CLIP_VARIABLE)) == (False, "/elsewhere")


def test_other_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderRefused, match=f"must have the SHA-256 {'0' * 64}, got "):
        check_clip_folder(open_shared_clip(), sha256="0" * 64)
    with pytest.raises(FolderRefused, match=r"must be a folder with the config\.json of a CLIP"):
        check_clip_folder(tmp_path)


def test_damaged_weights_are_not_chosen(tmp_path: Path) -> None:
    for path in open_shared_clip().iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"cut off")
    check_clip_folder(tmp_path)

    with pytest.raises(MetricError, match="is damaged or no safetensors file"):
        choose_clip_folder(tmp_path)
    assert find_path(CLIP_VARIABLE) == ""


def test_damaged_choice_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "paths.json").write_text("{")

    assert find_path(CLIP_VARIABLE) == ""
