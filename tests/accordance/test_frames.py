"""Tests of the data frame of scores."""

from pathlib import Path

import pytest

import accordance
from metrics_plugins.api import MetricError
from tests.accordance.golden import read_golden

CAPTIONS = ["a dog runs on grass", "a red bus in a street", "a dog on grass", "a bus"]
REFERENCES = [["a dog runs", "a dog on the grass"], ["a bus in the street", "a red bus"]] * 2


def test_frame_has_the_values_of_single_metrics(golden_folder: Path) -> None:
    images, captions, references = read_golden(golden_folder)

    frame = accordance.score(captions, references, metrics=["cider-d", "bleu-4"], images=images)

    assert list(frame.columns) == ["image", "caption", "cider-d", "bleu-4"]
    for metric in ("cider-d", "bleu-4"):
        alone = accordance.load(metric).compute(captions, references)
        assert frame[metric].tolist() == alone.values.tolist()
        assert frame.attrs["totals"][metric] == alone.value
        assert frame.attrs["signatures"][metric] == alone.signature


def test_systems_get_totals_of_their_own() -> None:
    frame = accordance.score(
        CAPTIONS, REFERENCES, metrics=["cider-d", "bleu-1"], systems=["x", "x", "y", "y"], images=["a", "b", "a", "b"]
    )

    alone = accordance.load("cider-d").compute(CAPTIONS[:2], REFERENCES[:2])
    assert list(frame.columns) == ["system", "image", "caption", "cider-d", "bleu-1"]
    assert frame.attrs["totals"]["cider-d"]["x"] == alone.value
    # BLEU of a system is computed from its totals.
    assert frame.attrs["totals"]["bleu-1"]["y"] == accordance.load("bleu-1").compute(CAPTIONS[2:], REFERENCES[2:]).value


def test_parameters_of_a_metric() -> None:
    frame = accordance.score(CAPTIONS, REFERENCES, metrics=["cider-d"], params={"cider-d": {"n": 2}})

    assert "|n:2|" in frame.attrs["signatures"]["cider-d"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metrics": "bleu-4"}, "must be a list of different ids"),
        ({"metrics": ["bleu-4", "bleu-4"]}, "must be a list of different ids"),
        ({"systems": ["x"] * 4}, "`systems` need `images`"),
        ({"systems": ["x"], "images": ["a"] * 4}, "`systems` must have one entry per caption"),
    ],
)
def test_wrong_arguments_are_refused(changed: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accordance.score(CAPTIONS, REFERENCES, **({"metrics": ["bleu-4"]} | changed))


def test_metric_without_scores_of_rows_is_refused() -> None:
    with pytest.raises(MetricError, match="has no score of single rows"):
        accordance.score(CAPTIONS, metrics=["vocabulary-size"])
