"""Tests of the rules for a metric's declaration."""

import pytest

from metrics_plugins.api import FitsOn, Input, MetricInfo
from tests.metrics_plugins.api.examples import make_info


def test_optional_fields_have_the_plain_defaults() -> None:
    info = make_info()

    assert (info.fits_on, info.resources, info.deterministic) == (FitsOn.NOTHING, (), True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"metric_id": "Bleu_4"}, "metric id must be lower-case words joined by hyphens, got 'Bleu_4'"),
        ({"metric_id": ""}, "metric id must be"),
        ({"metric_id": "a-"}, "metric id must be"),
        ({"inputs": frozenset()}, "metric 'example' must declare at least one input, got none"),
        ({"inputs": {Input.CANDIDATE}}, "inputs of metric 'example' must be a frozenset of Input"),
        ({"inputs": frozenset({"candidate"})}, "inputs of metric 'example' must be a frozenset of Input"),
        ({"level": "segment"}, "level and fits_on of metric 'example' must be members of Level and FitsOn"),
        ({"fits_on": None}, "level and fits_on of metric 'example' must be members of Level and FitsOn"),
        ({"bounds": (1.0, 0.0)}, r"bounds of metric 'example' must be \(low, high\) with low < high"),
        ({"bounds": (float("nan"), 1.0)}, "bounds of metric 'example'"),
        ({"title": ""}, "title of metric 'example' must not be empty"),
        ({"version": ""}, "version of metric 'example' must not be empty"),
        ({"citation": ""}, "citation of metric 'example' must not be empty"),
    ],
)
def test_broken_declaration_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_info(**changes)


def test_every_field_without_default_must_be_given() -> None:
    with pytest.raises(TypeError, match="citation"):
        MetricInfo(id="x")
