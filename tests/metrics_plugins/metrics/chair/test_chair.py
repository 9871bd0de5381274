"""Tests of CHAIRi and CHAIRs against the published program, and of cases that its paper leaves open."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.runtime import MetricRun, Registry, load_registry, run_metric

METRICS = ("chair-i", "chair-s")
WORDS = ["a", "dog", "dogs", "cat", "bus", "hot", "toilet", "seat", "baby", "bird", "wine", "glasses", "tie"]
CAPTIONS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(st.characters(), max_size=12)
ROWS = st.lists(st.tuples(CAPTIONS, st.lists(CAPTIONS, max_size=3)), min_size=1, max_size=4)

Row = tuple[str, Sequence[str]]


@cache
def load_bundled_registry() -> Registry:
    return load_registry(strict=True)


def run(metric_id: str, rows: Sequence[Row], **params: Any) -> MetricRun:
    """Run a metric on rows of (candidate, references), whose keys and image keys are their numbers."""
    batch = Batch.make(
        [str(row) for row in range(len(rows))],
        candidates=[candidate for candidate, _ in rows],
        references=[references for _, references in rows],
    )
    return run_metric(load_bundled_registry().build(metric_id, **params), batch, rng=np.random.default_rng(0))


def score(metric_id: str, rows: Sequence[Row], **params: Any) -> list[float]:
    return run(metric_id, rows, **params).scores.values.tolist()


@pytest.mark.parametrize(("metric_id", "field"), [("chair-i", "CHAIRi"), ("chair-s", "CHAIRs")])
def test_golden(metric_id: str, field: str, golden_folder: Path, tmp_path: Path) -> None:
    images = json.loads((golden_folder / "chair_input.json").read_text())
    expected = json.loads((golden_folder / "expected_chair.json").read_text())
    objects = {str(image["image_id"]): image["segments"] for image in images}
    (tmp_path / "objects.json").write_text(json.dumps(objects))
    batch = Batch.make(
        [f"row {image['image_id']}" for image in images],
        candidates=[image["cand"] for image in images],
        references=[image["refs"] for image in images],
        image_keys=[str(image["image_id"]) for image in images],
    )
    metric = load_bundled_registry().build(metric_id, objects=str(tmp_path / "objects.json"))

    result = run_metric(metric, batch, rng=np.random.default_rng(0))

    segments = [expected["sentences"][key][field] for key in objects]
    assert result.scores.values.tolist() == pytest.approx(segments, abs=1e-9)
    assert result.corpus == pytest.approx(expected[field], abs=1e-9)


def test_references_alone_are_the_truth_if_no_objects_are_given() -> None:
    # Mentions: dog, cat | dog, dog, person | none | boat. Hallucinated: cat | both dogs | none | boat.
    rows = [
        ("a dog and a cat", ["a puppy", "an animal"]),
        ("a dog, a dog and a man", ["a woman"]),
        ("the sky", ["a dog"]),
        ("a boat", ["the sky"]),
    ]

    assert score("chair-i", rows) == pytest.approx([1 / 2, 2 / 3, 0, 1], abs=1e-15)
    assert score("chair-s", rows) == [1, 1, 0, 1]
    assert run("chair-i", rows).corpus == pytest.approx(4 / 6, abs=1e-15)
    assert run("chair-s", rows).corpus == pytest.approx(3 / 4, abs=1e-15)


def test_a_row_without_references_counts_only_if_objects_are_given(tmp_path: Path) -> None:
    rows: list[Row] = [("a dog", []), ("a dog and a cat", ["a dog"])]
    (tmp_path / "objects.json").write_text('{"0": ["cat"], "1": []}')
    objects = str(tmp_path / "objects.json")

    without = run("chair-i", rows)
    given = run("chair-i", rows, objects=objects)

    assert without.scores.values.tolist() == pytest.approx([math.nan, 0.5], nan_ok=True)
    assert without.corpus == 0.5
    assert given.scores.values.tolist() == [1, 0.5]
    assert given.corpus == pytest.approx(2 / 3)
    assert math.isnan(run("chair-s", rows[:1]).corpus)


def test_corrected_rules_find_the_bus() -> None:
    rows: list[Row] = [("a bus and a dog", ["a dog"])]

    assert score("chair-s", rows) == [0]
    assert score("chair-s", rows, rules="corrected") == [1]


def test_an_image_that_the_objects_do_not_list_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "objects.json").write_text('{"5": []}')

    with pytest.raises(MetricError, match="image '0' is not among its 1"):
        run("chair-i", [("a dog", ["a dog"])], objects=str(tmp_path / "objects.json"))


def test_signature_tells_which_objects_were_given(tmp_path: Path) -> None:
    (tmp_path / "objects.json").write_text('{"0": []}')
    registry = load_bundled_registry()

    given = registry.build("chair-i", objects=str(tmp_path / "objects.json"))

    assert str(registry.build("chair-i").signature) == "chair-i|objects:references|rules:published|tok:nltk-words|v:1"
    # The first digits of `printf '{"0": []}' | sha256sum`.
    assert dict(given.signature.fields)["objects"] == "references+e467e4ad3758"
    assert str(registry.build("chair-s", rules="corrected").signature).count("rules:corrected") == 1


@given(rows=ROWS)
@settings(deadline=None)
def test_any_text_stays_within_bounds_and_the_order_of_references_does_not_matter(rows: list[Row]) -> None:
    turned = [(candidate, references[::-1]) for candidate, references in rows]
    for rules in ("published", "corrected"):
        shares, sentences = score("chair-i", rows, rules=rules), score("chair-s", rows, rules=rules)
        assert np.array_equal(shares, score("chair-i", turned, rules=rules), equal_nan=True)
        # A caption has a hallucinated mention exactly if its share of them is above 0.
        assert [share > 0 for share in shares] == [sentence == 1 for sentence in sentences]


@given(candidate=CAPTIONS, others=st.lists(CAPTIONS, max_size=2))
@settings(deadline=None)
def test_a_candidate_that_is_a_reference_has_no_hallucinations(candidate: str, others: list[str]) -> None:
    assert score("chair-i", [(candidate, [*others, candidate])]) == [0]
