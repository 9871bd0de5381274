"""Tests that files of weights are found, checked and distinguished."""

from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import install_extras
from metrics_plugins.encoders.weights import (
    check_safetensors,
    digest_files,
    find_package,
    read_json,
    require_torch,
    split_precision,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("minilm", ("minilm", "float32")),
        ("minilm@bfloat16", ("minilm", "bfloat16")),
        ("/a/b@home/model", ("/a/b@home/model", "float32")),
        ("/a/b@home/model@float32", ("/a/b@home/model", "float32")),
    ],
)
def test_the_precision_is_split_from_the_name(name: str, expected: tuple[str, str]) -> None:
    assert split_precision(name) == expected


def test_folder_may_have_the_mark_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm@home").mkdir()
    monkeypatch.chdir(tmp_path)

    assert split_precision("minilm@home") == ("minilm@home", "float32")
    assert split_precision("minilm@home@bfloat16") == ("minilm@home", "bfloat16")


def test_what_a_precision_means_does_not_depend_on_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm@bfloat16").mkdir()
    monkeypatch.chdir(tmp_path)

    assert split_precision("minilm@bfloat16") == ("minilm", "bfloat16")
    assert split_precision("minilm@bfloat16@float32") == ("minilm@bfloat16", "float32")


def test_a_precision_of_nothing() -> None:
    with pytest.raises(MetricError, match=r"^weights '@bfloat16': '@' must be preceded by a name or a folder$"):
        split_precision("@bfloat16", what="weights")


def test_unknown_precision() -> None:
    told = r"^encoder 'minilm@half' is not a folder, and '@' must be followed by float32 or bfloat16$"
    with pytest.raises(MetricError, match=told):
        split_precision("minilm@half")


def test_package_that_is_not_installed() -> None:
    with pytest.raises(MissingResource) as raised:
        find_package("no_such_package", wanted_for="x", extras=("critics",))
    assert str(raised.value) == f"x needs no_such_package, which is not installed: {install_extras('critics')}"


def test_what_encoders_need_is_installed() -> None:
    require_torch("minilm")


def test_whole_weights(tiny_folder: Path) -> None:
    check_safetensors(tiny_folder / "model.safetensors")


def test_damaged_weights(tiny_folder: Path, tmp_path: Path) -> None:
    content = (tiny_folder / "model.safetensors").read_bytes()
    for damaged in (content[:-1], content[:5], b"\xff" * 8 + content[8:], content[:9] + b"!" + content[10:]):
        path = tmp_path / "model.safetensors"
        path.write_bytes(damaged)

        with pytest.raises(MetricError, match=f"^{path}: is damaged or no safetensors file: "):
            check_safetensors(path)


def test_digest_changes_with_content_and_settings(tmp_path: Path) -> None:
    path = tmp_path / "x"
    digests = []
    for content, pooling in (("a", "mean"), ("b", "mean"), ("a", "cls"), ("aa", "mean")):
        path.write_text(content)
        digests.append(digest_files([path], settings={"pooling": pooling}))
    path.write_text("a")

    assert len(set(digests)) == 4
    assert digest_files([path], settings={"pooling": "mean"}) == digests[0]
    assert len(digests[0]) == 12


def test_json_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")

    with pytest.raises(MetricError, match=f"^{tmp_path}/x.json: must hold JSON, got: "):
        read_json(tmp_path / "x.json")
    with pytest.raises(MetricError, match=f"^{tmp_path}/y.json: cannot be read: No such file or directory$"):
        read_json(tmp_path / "y.json")
