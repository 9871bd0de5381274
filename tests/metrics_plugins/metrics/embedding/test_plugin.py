"""Tests that the plugin is found, provides encoders, and reports missing resources."""

from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource, UnknownEncoder
from metrics_plugins.api.providers import Encoder, TokenEncoder
from metrics_plugins.metrics.embedding.plugin import CLIP_VARIABLE, provide_encoder
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.encoders.tiny import open_shared_clip

METRICS = (
    "clip-score",
    "embedding-f1",
    "embedding-f1-idf",
    "ref-clip-score",
    "sentence-cosine",
    "sentence-cosine-max",
)


def test_metrics_of_the_plugin() -> None:
    assert [name.info.id for name in load_registry(strict=True) if name.plugin == "embedding"] == list(METRICS)


@pytest.mark.parametrize(
    ("name", "printed", "has_tokens"),
    [("minilm", "minilm", True), ("minilm@bfloat16", "minilm@bfloat16", True), ("efficientnet-lite0",) * 2 + (False,)],
)
def test_encoders_by_name(name: str, printed: str, has_tokens: bool) -> None:
    encoder = load_registry().get_encoder(name)

    assert isinstance(encoder, Encoder)
    assert isinstance(encoder, TokenEncoder) is has_tokens
    assert encoder.name == printed


def test_encoders_in_folders(tiny_folder: Path) -> None:
    registry = load_registry()

    assert registry.get_encoder(str(tiny_folder)).name == tiny_folder.name
    assert registry.get_encoder(f"{tiny_folder}@bfloat16").name == f"{tiny_folder.name}@bfloat16"
    assert registry.get_encoder(str(open_shared_clip())).dimension == 24


def test_word_vectors_are_left_to_their_plugin() -> None:
    assert provide_encoder("glove", "cpu") is None
    assert load_registry().get_encoder("glove").name == "glove"


def test_unknown_encoder_names_are_refused() -> None:
    with pytest.raises(UnknownEncoder, match="no installed plugin provides an encoder 'bert'"):
        load_registry().get_encoder("bert")


def test_clip_needs_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(CLIP_VARIABLE, raising=False)

    with pytest.raises(MissingResource, match=r"^the weights of a CLIP are not installed: name a folder in transf"):
        load_registry().build("clip-score")

    monkeypatch.setenv(CLIP_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(MissingResource, match=f"^{CLIP_VARIABLE} must name a folder, got '{tmp_path}/nowhere'$"):
        load_registry().build("clip-score")


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(MetricError, match=r"^torch cannot compute on the device 'warp' here"):
        load_registry().build("sentence-cosine", device="warp")
