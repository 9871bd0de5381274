"""Tests of comparing metrics by their agreement with a column of judgments."""

import numpy as np
import pandas as pd
import pytest

import accordance
from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.errors import UnknownNameError
from tests.accordance.test_correlating import FRAME


@pytest.mark.parametrize(
    ("chosen", "request_"),
    [
        ({}, ComparisonRequest("perm-both", n_resamples=1000)),
        ({"image": "image"}, ComparisonRequest("perm-input", n_resamples=1000)),
        (
            {"image": "image", "test": "bootstrap", "n_resamples": 200, "correction": "none"},
            ComparisonRequest("bootstrap", ("images",), 200, "none"),
        ),
    ],
)
def test_numbers_are_those_of_compare_metrics(chosen: dict, request_: ComparisonRequest) -> None:
    found = accordance.compare(FRAME, metrics=["good", "poor"], judgment="rating", seed=3, **chosen)

    expected = compare_metrics(
        {name: FRAME[name] for name in ("good", "poor")},
        FRAME["rating"],
        level="item",
        coefficient="kendall-b",
        request=request_,
        groups=FRAME["image"] if "image" in chosen else None,
        rng=np.random.default_rng(3),
    )
    assert found.table == expected
    # The row that lacks a score is left out for both metrics.
    assert (found.table.n, found.table.n_missing) == (7, 1)
    assert found.signature.endswith(request_.signature)
    (row,) = found.to_frame().to_dict("records")
    assert (row["first"], row["second"], row["p_value"]) == ("good", "poor", expected.differences[0].p_value)
    assert (row["low"] is not None) is (request_.test == "bootstrap")


def test_shown_as_escaped_html_and_as_a_figure() -> None:
    frame = FRAME.rename(columns={"good": "<good>", "rating": "<rating>"})

    found = accordance.compare(frame, metrics=["<good>", "poor"], judgment="<rating>")

    assert "<td>&lt;good&gt;</td><td>poor</td>" in found._repr_html_()
    assert "agreement with &lt;rating&gt;" in found._repr_html_()
    assert found.plot()._repr_svg_().startswith("<svg")
    assert found.find("poor", "<good>").first == "<good>"
    assert "<good> - poor: " in repr(found)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metrics": ["good"]}, "at least two metrics"),
        ({"metrics": ["good", "best"]}, "has no column 'best'"),
        ({"metrics": ["good", "image"]}, "column 'image' must have numbers"),
        ({"test": "bootstrap"}, "needs keys of `images`"),
    ],
)
def test_wrong_arguments_are_refused(changed: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accordance.compare(FRAME, **({"metrics": ["good", "poor"], "judgment": "rating"} | changed))


def test_unknown_test_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="perm-input"):
        accordance.compare(FRAME, metrics=["good", "poor"], judgment="rating", test="permutation")


def test_an_undefined_agreement_is_printed_as_such() -> None:
    frame = pd.DataFrame({"a": [1.0, 1, 1], "b": [1.0, 2, 3], "rating": [1, 2, 3]})

    found = accordance.compare(frame, metrics=["a", "b"], judgment="rating")

    assert "<td>undefined</td>" in found._repr_html_()
    assert "undefined" in found.plot()._repr_svg_()
