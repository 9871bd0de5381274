"""Tests of invalid labels in PASCAL-50S."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.studies.datasets.importing.conftest import Refuse

BLUE = "The front drivers side headlights of a blue Corvette."


def _drop(labels: dict[str, Any]) -> None:
    labels["HC"] = [record for record in labels["HC"] if record["captions"][0] != BLUE]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda labels: labels["HC"][0].update(label=2),
            "pascal_50s.json, HC record 1, field label: must be 0 or 1, got 2",
        ),
        (
            lambda labels: labels["HC"][0].pop("references"),
            "pascal_50s.json, HC record 1, field references: is missing, got only captions, image, label",
        ),
        (
            lambda labels: labels["HC"][0]["references"].__setitem__(2, "Nobody wrote this."),
            "pascal_50s.json: must give pair 2 references that pascal50S.mat has for 2008_005747.jpg, "
            "got 'Nobody wrote this.'",
        ),
        (
            _drop,
            "pascal_50s.json: must have a record for pair 2 of pair_pascal.mat, "
            "got none in HC with image 2008_005747.jpg and both its captions",
        ),
        (
            lambda labels: labels["HC"].append(labels["HC"][0]),
            "pascal_50s.json, HC: must only contain pairs of pair_pascal.mat, each once, got '2008_005747.jpg | The "
            "front drivers side headlights of a blue Corvette. | Cl...",
        ),
        (lambda labels: labels.pop("MM"), "pascal_50s.json, field MM: is missing, got only HC, HI, HM"),
    ],
    ids=["label", "field", "reference", "missing pair", "pair twice", "category"],
)
def test_refuses_bad_labels(
    refuse: Refuse, pascal50s: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    path = pascal50s / "pascal_50s.json"
    labels = json.loads(path.read_text())
    change(labels)
    path.write_text(json.dumps(labels))

    assert refuse("pascal-50s", source=pascal50s) == message
