"""What holds for both metrics of moved words."""

from metrics_plugins.api import Encoder, parametrize_with_checks
from metrics_plugins.api.checks import CheckCase
from tests.metrics_plugins.transport.plane import load_bundled_registry


def test_all_are_registered() -> None:
    found = [name.info.id for name in load_bundled_registry() if name.plugin == "transport"]

    assert found == ["wmd", "wmd-set"]


@parametrize_with_checks(["wmd", "wmd-set"], registry=load_bundled_registry())
def test_contract(check: CheckCase) -> None:
    check()


def test_word_vectors_are_an_encoder() -> None:
    encoder = load_bundled_registry().get_encoder("glove")

    assert isinstance(encoder, Encoder)
    assert encoder.name == "glove"
