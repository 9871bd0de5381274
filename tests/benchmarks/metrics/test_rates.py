"""Tests that rates are for the registered versions and for real captions."""

from dataclasses import replace

import pytest

from benchmarks.coco_captions import read_images
from benchmarks.metrics.rates import add_startup, list_bundled, list_unmeasured, time_metric
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.rates import Rate, read_rates


def test_metrics_are_unmeasured_until_their_version_is() -> None:
    rates = {each.info.id: Rate(version=each.info.version, items=10, seconds=1.0) for each in list_bundled()}

    assert list_unmeasured(rates) == []
    assert list_unmeasured({**rates, "bleu-1": replace(rates["bleu-1"], version="0")}) == ["bleu-1"]
    del rates["cider"]
    assert list_unmeasured(rates) == ["cider"]


def test_rate_is_of_ten_thousand_items() -> None:
    assert Rate(version="1", items=500, seconds=2.0).per_ten_thousand == 40.0


def test_start_up_is_what_the_first_rows_take_beyond_their_rows() -> None:
    rate = Rate(version="1", items=1000, seconds=10.0)

    assert add_startup(rate, first=3.2) == replace(rate, startup=3.0)
    # Measurements vary.
    assert add_startup(rate, first=0.1) == replace(rate, startup=0.0)


def test_start_up_of_a_metric_with_an_encoder_was_measured() -> None:
    rates = read_rates()

    assert rates["sentence-cosine"].startup > rates["bleu-1"].startup > 0


def test_start_up_was_measured_for_all_metrics() -> None:
    none = {metric for metric, rate in read_rates().items() if rate.startup == 0}

    # The training of the first imports what it scores with. What the second imports is there with the worlds.
    assert none <= {"critic-judgments", "gtd-diversity"}


@pytest.mark.parametrize("metric_id", ["bleu-1", "self-cider", "novelty", "ttr"])
def test_metrics_of_each_level_are_timed(metric_id: str) -> None:
    assert time_metric(load_registry().get(metric_id), read_images(30)) > 0


def test_captions_are_those_of_coco() -> None:
    images = read_images(2)

    # The first captions of val2014 by image id: 42 and 73.
    assert [(key, len(captions)) for key, captions in images] == [("42", 5), ("73", 5)]
    assert images[0][1][0].startswith("This wire metal rack holds several pairs of shoes")
