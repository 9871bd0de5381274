"""Tests of every hook, called through a registry."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from metrics_plugins.api import hookimpl
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks.sample import SampleWorld
from tests.metrics_plugins.api.examples import ExamplePlugin, Words


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits at one separator."""

    name: str
    version: str = "1"

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        return [" ".join(caption.split()) for caption in captions]


@dataclass(frozen=True, slots=True)
class LengthEncoder:
    """Encodes a text as its length."""

    name: str
    device: str
    digest: str = "0"
    dimension: int = 1

    def encode(self, inputs: Sequence[object]) -> np.ndarray:
        return np.asarray([[len(str(value))] for value in inputs], dtype=np.float32)


def _provide_tokenizer(known: str, *, answer: Tokenizer) -> SimpleNamespace:
    @hookimpl
    def provide_tokenizer(name):
        return answer if name == known else None

    return SimpleNamespace(__name__=f"{known}-{answer.name}", provide_tokenizer=provide_tokenizer)


def test_register_metrics_puts_metrics_into_the_registry() -> None:
    assert load_registry([ExamplePlugin(Words)]).get("words").metric_class is Words


def test_provide_tokenizer_is_asked_by_name() -> None:
    plugin = _provide_tokenizer("white", answer=Splitter("white"))
    tokenizer = load_registry([plugin]).get_tokenizer("white")

    assert isinstance(tokenizer, Tokenizer)
    assert tokenizer.tokenize(["a  cat", ""]) == ["a cat", ""]


def test_outside_tokenizer_wins_over_a_bundled_one() -> None:
    plugin = _provide_tokenizer("ptb", answer=Splitter("mine"))

    assert load_registry([plugin]).get_tokenizer("ptb").name == "mine"


def test_plugin_loaded_last_wins() -> None:
    first = _provide_tokenizer("white", answer=Splitter("first"))
    second = _provide_tokenizer("white", answer=Splitter("second"))

    assert load_registry([first, second]).get_tokenizer("white").name == "second"


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_provide_encoder_is_asked_by_name_and_device(device: str) -> None:
    @hookimpl
    def provide_encoder(name, device):
        return LengthEncoder(name, device) if name == "length" else None

    encoder = load_registry([SimpleNamespace(provide_encoder=provide_encoder)]).get_encoder("length", device=device)

    assert isinstance(encoder, Encoder)
    assert encoder.device == device
    assert encoder.encode(["ab"]).tolist() == [[2.0]]


def test_provide_worlds_is_asked_by_path(tmp_path: Path) -> None:
    world = SampleWorld(frozenset({"a", "dog"}))

    @hookimpl
    def provide_worlds(path):
        return {"7": world} if path.suffix == ".scenes" else None

    registry = load_registry([SimpleNamespace(provide_worlds=provide_worlds)])

    assert registry.read_worlds(tmp_path / "all.scenes") == {"7": world}
    assert isinstance(world, CaptionWorld)
