"""Tests of comparing systems in Python: the numbers of the command, and how they are shown."""

import json
from pathlib import Path

import pytest

import accordance
from metrics_plugins.api import MetricError
from tests.accordance.test_score_table import GOOD, POOR, REFERENCES, folder, run

__all__ = ["folder"]  # a fixture


def compare(**changed: object) -> accordance.SystemTable:
    rows = [(name, image, text) for name, own in (("good", GOOD), ("poor", POOR)) for image, text in own]
    columns = {
        "captions": [text for _, _, text in rows],
        "references": [[text for key, text in REFERENCES if key == image] for _, image, _ in rows],
        "systems": [name for name, _, _ in rows],
        "images": [str(image) for _, image, _ in rows],
        "metrics": ["cider-d", "bleu-2"],
        "n_resamples": 200,
    }
    given = columns | changed
    return accordance.compare_systems(given.pop("captions"), given.pop("references"), **given)


def test_numbers_are_those_of_the_command(folder: Path) -> None:
    expected = json.loads(run(folder, "--json").stdout)

    frame = compare().to_frame()

    assert frame.to_dict("records") == expected["rows"]


def test_shown_as_escaped_html_and_as_a_figure() -> None:
    table = compare(systems=["<good>"] * 4 + ["poor"] * 4)

    page = table._repr_html_()
    assert "<td>&lt;good&gt;</td><td>cider-d</td>" in page
    assert "<td>cider-d</td><td>&lt;good&gt;</td><td>poor</td>" in page
    assert "<good>" not in page
    assert "&lt;good&gt;" in table.plot()._repr_svg_()
    assert table.plot("bleu-2").specification["encoding"]["x"]["title"] == "bleu-2"
    with pytest.raises(KeyError):
        table.plot("bleu-3")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metrics": "bleu-1"}, "must be a list of different ids"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"systems": ["good"]}, "`systems` must have one entry per caption"),
        ({"captions": [], "references": None, "systems": [], "images": []}, "there are no captions"),
        ({"images": list("12341235")}, "image 4 has 0 captions of poor and 1 of good"),
    ],
)
def test_wrong_arguments_are_refused(changed: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(**changed)


def test_metric_of_a_whole_corpus_is_refused() -> None:
    with pytest.raises(MetricError, match="has no score of single rows"):
        compare(metrics=["vocabulary-size"])
