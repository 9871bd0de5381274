"""Tests of correlating columns of a frame."""

import numpy as np
import pandas as pd
import pytest

import accordance
from correlation.correlate import correlate
from correlation.errors import UnknownNameError
from correlation.resampling.intervals import IntervalRequest

FRAME = pd.DataFrame(
    {
        "image": list("aabbccdd"),
        "good": [1, 2, 3, 4, 5, 6, 7, 9.0],
        "poor": [2, 1, 3, 3, 1, 2, np.nan, 4],
        "rating": [1, 2, 2, 3, 3, 4, 4, 5],
    }
)


def test_numbers_are_those_of_correlate() -> None:
    found = accordance.correlate(
        FRAME, metrics=["good", "poor"], judgment="rating", image="image", interval="images", n_resamples=200, seed=3
    )

    for name in ("good", "poor"):
        expected = correlate(
            FRAME[name],
            FRAME["rating"],
            level="item",
            coefficient="kendall-b",
            groups=FRAME["image"],
            interval=IntervalRequest("percentile", ("images",), 200),
            rng=np.random.default_rng(3),
        )
        assert found[name].value == expected.value
        assert (found[name].low, found[name].high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found["poor"].n_missing == 1
    assert found.signature == ("level:item|coefficient:kendall-b|ci:percentile|resampled:images|n:200|confidence:0.95")


def test_without_an_interval() -> None:
    found = accordance.correlate(FRAME, metrics=["good"], judgment="rating", coefficient="pearson")

    assert found.to_frame().loc[0, ["metric", "n", "n_missing"]].tolist() == ["good", 8, 0]
    assert found["good"].low is None
    assert found.signature == "level:item|coefficient:pearson"


def test_shown_as_html_and_as_a_figure() -> None:
    found = accordance.correlate(FRAME.rename(columns={"good": "<good>"}), metrics=["<good>"], judgment="rating")

    assert "<td>&lt;good&gt;</td>" in found._repr_html_()
    assert found.plot()._repr_svg_().startswith("<svg")
    assert found.plot("<good>").render("png").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metrics": ["best"]}, "has no column 'best'"),
        ({"image": "picture"}, "has no column 'picture'"),
        ({"metrics": []}, "at least one column"),
        ({"metrics": "good"}, "at least one column"),
        ({"level": "group"}, "needs `groups`"),
        ({"interval": "images"}, "no such keys were given"),
    ],
)
def test_wrong_arguments_are_refused(changed: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accordance.correlate(FRAME, **({"metrics": ["good"], "judgment": "rating"} | changed))


def test_unknown_coefficient_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="kendall-b"):
        accordance.correlate(FRAME, metrics=["good"], judgment="rating", coefficient="tau")
