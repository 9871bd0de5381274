"""The GTD metrics, on the published samples and on numbers worked out by hand."""

import math
from pathlib import Path

import numpy as np
import pytest

from captioning.worlds.files.caption_files import read_agreement, read_captions
from captioning.worlds.files.world_files import read_worlds
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.model import Entity, World
from metrics_plugins.api import Batch, MetricError
from metrics_plugins.runtime import load_registry

RED_SQUARE = GroundedWorld(
    World((Entity("square", "red", shade=0.0, x=0.5, y=0.5, half_width=0.1, half_height=0.1, rotation=0.0),))
)
SETS = (
    "existential-oneshape",
    "existential-full",
    "relational-comparative",
    "relational-spatial",
    "quantification-count",
    "logical-full",
)


def make_batch(captions: list[str], references: list[list[str]] | None = None) -> Batch:
    keys = [str(row) for row in range(len(captions))]
    return Batch.make(keys, candidates=captions, references=references, worlds=[RED_SQUARE] * len(captions))


def build(metric_id: str, **params):
    return load_registry().build(metric_id, **params)


@pytest.mark.parametrize("name", SETS)
def test_truthful_is_the_published_label_of_every_sample(data_folder: Path, name: str) -> None:
    folder = data_folder / "shapeworld" / name
    worlds = read_worlds(folder / "world_model.json")
    captions = read_captions(folder / "caption.txt", n_worlds=len(worlds))
    labels = [label for row in read_agreement(folder / "agreement.txt") for label in row]
    batch = Batch.make(
        [f"{row}-{place}" for row, texts in enumerate(captions) for place, _ in enumerate(texts)],
        candidates=[text for texts in captions for text in texts],
        worlds=[GroundedWorld(world) for world, texts in zip(worlds, captions, strict=True) for _ in texts],
    )

    assert build("gtd-truthful").score(batch).values.tolist() == labels
    assert build("gtd-grammatical").score(batch).values.tolist() == [1.0] * len(labels)


def test_ungrammatical_and_ambiguous_captions_are_not_true() -> None:
    # The comparative form needs exactly two squares; of one square it is ambiguous.
    batch = make_batch(["a square is red .", "a square is blue .", "the left square is red .", "square a is red ."])

    assert build("gtd-truthful").score(batch).values.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert build("gtd-grammatical").score(batch).values.tolist() == [1.0, 1.0, 1.0, 0.0]


def test_share_of_true_captions_is_over_all_or_over_the_grammatical_ones() -> None:
    batch = make_batch(["There is a red square.", "there is a circle .", "there a is square ."])

    over_all, over_grammatical = build("gtd-truthful"), build("gtd-truthful", over="grammatical")

    assert over_all.summarize(over_all.score(batch)) == pytest.approx(1 / 3)
    np.testing.assert_array_equal(over_grammatical.score(batch).values, [1.0, 0.0, np.nan])
    assert over_grammatical.summarize(over_grammatical.score(batch)) == pytest.approx(1 / 2)


def test_diversity_is_the_ratio_of_distinct_constructions() -> None:
    captions = ["a square is red .", "a circle is blue .", "a shape is red .", "shape a ."]
    references = [
        ["there is a square .", "there is a red square ."],
        ["there is a circle .", "a square is a red shape ."],
        ["there is a blue shape .", "a square is red ."],
        ["there is a cross .", "a cross is blue ."],
    ]
    # Candidates: `a <shape> is <color>` (twice), `a shape is <color>`. References: `there is a <shape>`, `there is a
    # <color> <shape>`, `a <shape> is <color>`, `there is a <color> shape`; the first ones: the first and the last.
    batch = make_batch(captions, references)

    assert build("gtd-diversity").score(batch).values.tolist() == [2 / 4]
    assert build("gtd-diversity", references="first").score(batch).values.tolist() == [2 / 2]


def test_diversity_without_a_grammatical_reference_is_missing() -> None:
    (value,) = build("gtd-diversity").score(make_batch(["a square is red ."], [["what is this"]])).values

    assert math.isnan(value)


def test_world_that_evaluates_no_captions_is_refused() -> None:
    batch = Batch.make(["x"], candidates=["a square is red ."], worlds=[{"shapes": 2}])

    with pytest.raises(MetricError, match="row 'x': the world must be a CaptionWorld, got dict"):
        build("gtd-truthful").score(batch)


def test_unknown_share_is_refused() -> None:
    with pytest.raises(MetricError, match="all or grammatical"):
        build("gtd-truthful", over="some")
