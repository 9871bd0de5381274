import csv
import json

import pytest
from django.core.management import CommandError, call_command

from correlation.errors import CorrelationInputError
from metrics_plugins.api import MetricError, hookimpl
from metrics_plugins.runtime import load_registry
from metrics_plugins.text.distortions import Distortion
from studies.analysis.robustness import (
    FORMS,
    RobustnessRequest,
    check_path,
    load_references,
    measure_dataset,
    write_robustness,
)
from studies.models import Image, Reference
from tests.factories.studies import make_dataset
from tests.metrics_plugins.probes.test_fitting import Rarity

pytestmark = pytest.mark.django_db
NOUNS = ("dog", "cat", "bird", "horse", "cow", "sheep")


def make_described_dataset(name="animals"):
    """Make a dataset of six images with two references each, written in the wrong order, and one image with one."""
    dataset = make_dataset(name)
    for noun in NOUNS:
        image = Image.objects.create(dataset=dataset, key=noun)
        Reference.objects.create(image=image, position=1, text=f"A {noun} runs.")
        Reference.objects.create(image=image, position=0, text=f"The {noun} runs over the field.")
    lone = Image.objects.create(dataset=dataset, key="lone")
    Reference.objects.create(image=lone, position=0, text="A wolf.")
    return dataset


def test_references_stand_by_image_in_their_order(django_assert_num_queries):
    dataset = make_described_dataset()
    make_described_dataset("others")

    with django_assert_num_queries(1):
        references = load_references(dataset)

    assert list(references) == [*NOUNS, "lone"]
    assert references["dog"] == ["The dog runs over the field.", "A dog runs."]


def test_curves_of_a_dataset():
    request = RobustnessRequest(metrics=["length", "bleu-1"], distortions=["rw"], n_steps=2, position=1)

    report = measure_dataset(make_described_dataset(), request)

    assert (report.n_images, report.n_dropped, report.position) == (6, 1, 1)
    assert [(curve.metric, curve.distortion) for curve in report.curves] == [
        ("length", Distortion.RANDOM_WORDS),
        ("bleu-1", Distortion.RANDOM_WORDS),
    ]
    assert report.curves[0].scores == (3.0, 3.0, 3.0)
    assert report == measure_dataset(make_described_dataset("again"), request)


class RarityPlugin:
    @hookimpl
    def register_metrics(self):
        return [Rarity]


def test_a_metric_of_captions_learns_from_the_corpus(tmp_path):
    (tmp_path / "corpus.txt").write_text("the dog runs over\nthe field.\n")
    request = RobustnessRequest(metrics=["rarity"], distortions=["wp"], n_steps=1, corpus=str(tmp_path / "corpus.txt"))

    report = measure_dataset(make_described_dataset(), request, registry=load_registry([RarityPlugin()]))

    # "the dog runs over the field": of six nouns only dog is known, and "field" is not "field.".
    (curve,) = report.curves
    assert curve.scores == pytest.approx((11 / 6, 11 / 6))
    assert curve.signature.startswith("rarity|corpus:")


@pytest.mark.parametrize("ending", FORMS)
def test_every_form_is_written(ending, tmp_path):
    report = measure_dataset(make_described_dataset(), RobustnessRequest(metrics=["bleu-1"], n_steps=2))
    path = tmp_path / f"out{ending}"

    write_robustness(report, path, title="animals")

    content = path.read_bytes()
    if ending == ".json":
        assert len(json.loads(content)["curves"]) == 3
    elif ending == ".csv":
        assert len(list(csv.DictReader(content.decode().splitlines()))) == 9
    elif ending == ".svg":
        assert all(text in content.decode() for text in ("animals", "WP: permuted words", "6 human captions", "bleu-1"))
    else:
        assert content.startswith({".md": b"# animals\n\nImages: 6;", ".png": b"\x89PNG", ".pdf": b"%PDF-"}[ending])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"distortions": ["xy"]}, CorrelationInputError, "one of rc, wp, rw, got 'xy'"),
        ({"n_steps": 0}, CorrelationInputError, "at least 1 step from 0 to 1, got 0"),
        ({"metrics": ["nothing"]}, MetricError, "no installed plugin has a metric 'nothing'"),
        ({"position": 4}, MetricError, "at least 5 references"),
    ],
)
def test_what_cannot_be_measured_is_said(options, error, message):
    with pytest.raises(error, match=message):
        measure_dataset(make_described_dataset(), RobustnessRequest(**{"metrics": ["length"], **options}))


def test_paths_are_checked_before_anything_is_computed(tmp_path):
    check_path(None)
    check_path(tmp_path / "out.svg")
    with pytest.raises(CorrelationInputError, match=r"written as \.json, \.csv, \.md, .* got 'out.gif'"):
        check_path(tmp_path / "out.gif")
    with pytest.raises(CorrelationInputError, match="there is no folder"):
        check_path(tmp_path / "none" / "out.svg")


def test_the_command_uses_the_cluster_of_the_settings_and_tells_why_it_cannot(settings, monkeypatch):
    pytest.importorskip("distributed")
    make_described_dataset()
    settings.ACCORDANCE_EXECUTOR = "dask"
    monkeypatch.setenv("ACCORDANCE_DASK_WAIT", "long")

    with pytest.raises(CommandError, match="ACCORDANCE_DASK_WAIT and ACCORDANCE_SCORING_PROCESSES must be numbers"):
        call_command("robustness", "animals", metrics="length")
