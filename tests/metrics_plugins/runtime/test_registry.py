"""Tests of finding and building metrics, tokenisers and encoders."""

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import UnknownEncoder, UnknownMetric, UnknownTokenizer
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.api.examples import EXAMPLES, ExamplePlugin, Recall, Words

PLUGIN = ExamplePlugin(*EXAMPLES)


def test_metrics_are_listed_in_order_of_id() -> None:
    registry = load_registry([PLUGIN])
    ids = [registration.info.id for registration in registry]

    assert ids == sorted(ids)
    assert {"critic", "rarity", "recall", "variety", "vocabulary", "words"} <= set(ids)
    assert len(registry) == len(ids)


def test_registration_tells_where_a_metric_comes_from() -> None:
    registration = load_registry([PLUGIN]).get("words")

    assert registration.metric_class is Words
    assert registration.info is Words.info
    assert (registration.plugin, registration.distribution) == ("examples", "")
    assert (registration.module, registration.plugin_module) == (Words.__module__, Words.__module__)


def test_unknown_metric_is_answered_with_near_ids() -> None:
    with pytest.raises(UnknownMetric, match="no installed plugin has a metric 'recal'; did you mean recall"):
        load_registry([PLUGIN]).get("recal")


def test_build_passes_parameters() -> None:
    metric = load_registry([PLUGIN]).build("recall", power=2.0)

    assert isinstance(metric, Recall)
    assert metric.power == 2.0


@pytest.mark.parametrize(
    ("metric_id", "message"),
    [
        ("recall", r"metric 'recall' takes no parameter 'exponent' \(it takes: power\)"),
        ("words", r"metric 'words' takes no parameter 'exponent' \(it takes: none\)"),
    ],
)
def test_unknown_parameter_is_answered_with_the_known_ones(metric_id: str, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        load_registry([PLUGIN]).build(metric_id, exponent=2)


def test_unknown_providers_are_named() -> None:
    registry = load_registry()

    with pytest.raises(UnknownTokenizer, match="no installed plugin provides a tokenizer 'klingon'"):
        registry.get_tokenizer("klingon")
    with pytest.raises(UnknownEncoder, match="no installed plugin provides an encoder 'klingon'"):
        registry.get_encoder("klingon", device="cpu")
