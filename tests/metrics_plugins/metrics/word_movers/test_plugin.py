"""Tests of both metrics with Word Mover's Distance."""

from metrics_plugins.api.providers import Encoder
from tests.metrics_plugins.metrics.word_movers.plane import load_bundled_registry


def test_all_are_registered() -> None:
    found = [name.info.id for name in load_bundled_registry() if name.plugin == "transport"]

    assert found == ["wmd", "wmd-set"]


def test_word_vectors_are_an_encoder() -> None:
    encoder = load_bundled_registry().get_encoder("glove")

    assert isinstance(encoder, Encoder)
    assert encoder.name == "glove"
