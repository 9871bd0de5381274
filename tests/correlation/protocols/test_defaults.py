import pytest

from correlation.defaults import FEWEST_UNITS, explain_few
from correlation.errors import CorrelationInputError
from correlation.protocols.defaults import choose_inference, choose_test
from correlation.protocols.named import get_protocol

ITEMS, SYSTEMS, MIXED = get_protocol("flickr8k-expert"), get_protocol("coco-2015"), get_protocol("gtd-truth")


def sign(protocol=ITEMS, *, n_metrics=3, **asked):
    chosen = choose_inference(protocol, n_metrics=n_metrics, **asked)
    return tuple(each and each.signature for each in (chosen.interval, chosen.comparison))


@pytest.mark.parametrize(
    ("protocol", "interval", "test"),
    [
        (ITEMS, "ci:percentile|resampled:images|n:1000", "perm-input"),
        (MIXED, "ci:percentile|resampled:images|n:1000", "perm-input"),
        (SYSTEMS, "ci:jackknife|resampled:systems", "perm-system"),
    ],
)
def test_default_test_swaps_what_the_default_interval_resamples(protocol, interval, test):
    assert sign(protocol) == (f"{interval}|confidence:0.95", f"test:{test}|n:1000|correction:holm|alpha:0.05")
    assert choose_test(protocol) == test


@pytest.mark.parametrize(
    ("asked", "interval", "comparison"),
    [
        ({"method": "none"}, None, "test:perm-input|n:1000|correction:holm|alpha:0.05"),
        ({"test": "none"}, "ci:percentile|resampled:images|n:1000|confidence:0.95", None),
        ({"method": "bca", "test": "none"}, "ci:bca|resampled:images|n:1000|confidence:0.95", None),
        ({"method": "fisher", "test": "none"}, "ci:fisher|confidence:0.95", None),
        (
            {"resampled": ("raters", "images"), "test": "bootstrap", "correction": "bh", "resamples": 50},
            "ci:percentile|resampled:raters+images|n:50|confidence:0.95",
            "test:bootstrap|resampled:raters+images|n:50|correction:bh|alpha:0.05",
        ),
        (
            {"method": "none", "test": "bootstrap"},
            None,
            "test:bootstrap|resampled:images|n:1000|correction:holm|alpha:0.05",
        ),
        (
            {"alpha": 0.01},
            "ci:percentile|resampled:images|n:1000|confidence:0.99",
            "test:perm-input|n:1000|correction:holm|alpha:0.01",
        ),
    ],
)
def test_what_is_asked_for_replaces_the_default(asked, interval, comparison):
    assert sign(**asked) == (interval, comparison)


def test_system_level_with_chosen_units_has_a_bootstrap():
    assert sign(SYSTEMS, resampled=("systems",), test="none")[0] == (
        "ci:percentile|resampled:systems|n:1000|confidence:0.95"
    )


def test_one_metric_has_no_test_unless_it_is_asked_for():
    assert sign(n_metrics=1)[1] is None
    assert sign(n_metrics=1, test="perm-both")[1] is not None


@pytest.mark.parametrize("asked", [{"resamples": 0}, {"method": "jackknife", "resampled": ("images", "raters")}])
def test_contradicting_options_are_refused(asked):
    with pytest.raises(CorrelationInputError):
        sign(**asked)


def test_few_units_are_counted_in_words():
    assert explain_few(FEWEST_UNITS, "images") is None
    assert explain_few(1, "systems").startswith("only 1 system, fewer than 10: differences are not tested")
