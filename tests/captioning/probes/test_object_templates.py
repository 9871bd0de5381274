"""Tests of object templates: their captions, the comparison with captioners, and the report."""

import numpy as np
import pytest

from captioning.api import CaptionedImages, Images
from captioning.captioners.object_template import rank_classes
from captioning.probes.object_templates import compare_templates, fill_templates
from captioning.probes.object_templates_report import draw_templates, format_templates, print_templates
from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric

OBJECTS = (("dog", "person"), ("bus",), ("dog", "bus", "apple"), ("person",))
REFERENCES = (
    ("a dog runs past a man", "a man with his dog"),
    ("a red bus on the street", "a bus in the city"),
    ("a dog eats an apple near a bus", "a dog in a bus"),
    ("a man sits", "an old man"),
)


def _make_data() -> CaptionedImages:
    return CaptionedImages(Images(keys=tuple("abcd"), objects=OBJECTS), REFERENCES, note="text-conditioned")


def test_templates_list_the_common_objects_of_each_image() -> None:
    classes = rank_classes(OBJECTS)

    assert classes == ("bus", "dog", "person", "apple")
    assert fill_templates(OBJECTS, classes=classes[:2]) == (
        "There is a dog",
        "There is a bus",
        "There is a dog and bus",
        "There is nothing",
    )
    assert fill_templates(OBJECTS, classes=classes)[2] == "There is a dog, bus and apple"


def test_templates_and_captioners_are_scored_against_the_same_references() -> None:
    captions = ["a dog with a man", "a bus", "a dog", "a red apple"]
    rng = np.random.default_rng(0)

    report = compare_templates(
        {"mine": captions},
        _make_data(),
        training=_make_data(),
        objects="given",
        n_classes=(2, 80),
        metrics=("bleu-1", "rouge-l"),
        rng=rng,
    )

    assert [row.name for row in report.rows] == ["template (2 classes)", "template (80 classes)", "mine"]
    mine, few = report.rows[2], report.rows[0]
    batch = Batch.make("abcd", candidates=captions, references=REFERENCES)
    for metric in ("bleu-1", "rouge-l"):
        assert mine.scores[metric] == pytest.approx(run_metric(load_registry().build(metric), batch, rng=rng).corpus)
    assert mine.mean_words == (5 + 2 + 2 + 3) / 4
    assert (few.n_empty, mine.n_empty) == (1, 0)
    assert few.mean_words == (4 + 4 + 6 + 3) / 4


def test_templates_top_a_captioner_under_spice_and_not_under_spice_u() -> None:
    """The captioner names the unusual thing of each image, in a place that no person mentions."""
    objects = (("man", "dog", "kite"), ("man", "bus"), ("man", "dog", "apple"), ("man",))
    references = (
        ("a dog runs past a man", "a man with his dog and a kite"),
        ("a man near a red bus", "a man and a bus with an advertisement"),
        ("a man and a dog eat an apple", "a dog and a man with a banana"),
        ("a man sits with a violin", "an old man plays a violin"),
    )
    data = CaptionedImages(Images(keys=tuple("abcd"), objects=objects), references)
    captions = ["a kite in the sky", "a red bus in a city", "an apple on a table", "a violin on a table"]

    report = compare_templates(
        {"unusual": captions}, data, training=data, objects="given", n_classes=(2,), rng=np.random.default_rng(0)
    )

    assert report.find_topped("spice") == (("template (2 classes)", "unusual"),)
    assert report.find_topped("spice-u") == ()


def test_reports_have_rows_and_a_figure() -> None:
    report = compare_templates(
        {"mine": ["a dog"] * 4},
        _make_data(),
        training=_make_data(),
        objects="what people name",
        n_classes=(2,),
        metrics=("bleu-1",),
        rng=np.random.default_rng(0),
    )

    text = print_templates(report)
    assert "text-conditioned" in text
    assert "Objects: what people name" in text
    assert "| template (2 classes) | 4.2 |" in text
    assert '"topped"' in format_templates(report)
    assert b"template (2 classes)" in draw_templates(report)


def test_objects_are_needed() -> None:
    data = CaptionedImages(Images(keys=tuple("abcd")), REFERENCES)

    with pytest.raises(ValueError, match="need images with objects"):
        compare_templates({}, data, training=data, objects="given", rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="'mine' has 1 captions, but there are 4 images"):
        compare_templates(
            {"mine": ["a"]}, _make_data(), training=_make_data(), objects="given", rng=np.random.default_rng(0)
        )
