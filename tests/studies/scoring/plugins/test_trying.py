"""Tests of scoring a caption that one types in."""

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics_plugins.api import Batch, Fittable, Input
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks.sample import make_captions
from metrics_plugins.runtime.running import fit_metric, run_metric
from studies.scoring.plugins import trying
from studies.scoring.plugins.catalog import load_bundled
from studies.scoring.plugins.trying import NotTried, explain_untried, make_typed_batch, try_metric, write_command

CAPTION = "A brown dog runs across the grass."
REFERENCES = ("A dog runs on the grass.", "The brown dog is running in a field.")
SET = (CAPTION, "A dog in a field.", "Something brown runs.")


def score_here(metric: str) -> float:
    """Return the score in this process, without a sandbox."""
    entry = load_bundled().get(metric)
    captions = SET if Input.CAPTION_SET in entry.info.inputs else (CAPTION,)
    built = load_registry().build(metric)
    if isinstance(built, Fittable):
        examples = make_captions().columns[Input.REFERENCES]
        documents = Batch.make([str(row) for row in range(11)], references=[REFERENCES, *examples])
        built = fit_metric(built, documents, rng=np.random.default_rng(0))
    batch = make_typed_batch(entry, captions=captions, references=REFERENCES)
    return float(run_metric(built, batch, rng=np.random.default_rng(0)).scores.values[0])


@pytest.mark.parametrize("metric", ["bleu-4", "cider-d", "rouge-l", "length", "lsa", "self-cider", "ttr", "chair-i"])
def test_score_is_that_of_the_metric_outside_the_page(metric: str) -> None:
    entry = load_bundled().get(metric)
    captions = SET if Input.CAPTION_SET in entry.info.inputs else (CAPTION,)

    tried = try_metric(entry, captions=captions, references=REFERENCES)

    assert tried.value == score_here(metric)
    assert tried.signature == str(load_registry().build(metric).signature)
    assert tried.n_examples == (10 if metric in ("cider-d", "self-cider") else 0)


def test_cider_of_one_image_is_not_zero_because_it_learns_from_examples_too() -> None:
    tried = try_metric(load_bundled().get("cider-d"), captions=(CAPTION,), references=REFERENCES)

    assert tried.value is not None
    assert tried.value > 1


def test_undefined_score_is_none() -> None:
    entry = load_bundled().get("lsa")

    assert try_metric(entry, captions=("only one",), references=()).value is None


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("clip-score", "This metric reads the image itself, which cannot be entered here."),
        ("gtd-truthful", "This metric reads the world that a caption describes, which cannot be entered here."),
        ("novelty", "This metric must first be fitted on captions, which takes too long for a page."),
        ("critic-judgments", "This metric must first be fitted on judgments, which takes too long for a page."),
        ("meteor", ""),
        ("spice", ""),
        ("sentence-cosine", ""),
    ],
)
def test_metrics_that_cannot_be_tried_say_why(metric: str, reason: str) -> None:
    entry = load_bundled().get(metric)

    assert explain_untried(entry) == reason
    if reason:
        with pytest.raises(NotTried, match=reason.removesuffix(".")):
            try_metric(entry, captions=(CAPTION,), references=REFERENCES)


@pytest.mark.parametrize(
    ("metric", "files"),
    [
        ("clip-score", ""),
        ("ref-clip-score", " --references FILE"),
        ("gtd-truthful", " --worlds FILE"),
        ("novelty", " --corpus FILE"),
        ("critic-judgments", " --references FILE --judged FILE"),
    ],
)
def test_command_names_every_file_that_a_metric_needs(metric: str, files: str) -> None:
    command = write_command(load_bundled().get(metric))

    assert command == f"accordance score --metrics {metric} --candidates FILE{files}"


def test_command_names_the_file_of_a_plugin_that_is_one_file_and_no_folder_of_the_server(settings: Any) -> None:
    settings.ACCORDANCE_PLUGINS = "/some where/plugins"
    entry = replace(load_bundled().get("bleu-1"), bundled=False, plugin="my metric.py", distribution="")

    expected = "accordance score --plugin 'my metric.py' --metrics bleu-1 --candidates FILE --references FILE"
    assert write_command(entry) == expected
    installed = replace(entry, distribution="other 1.0")
    assert write_command(installed) == "accordance score --metrics bleu-1 --candidates FILE --references FILE"


def test_metrics_of_other_packages_are_not_run() -> None:
    entry = replace(load_bundled().get("length"), bundled=False)

    with pytest.raises(NotTried, match="Only metrics that come with Accordance are run on this page"):
        try_metric(entry, captions=(CAPTION,), references=())


def test_a_score_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "TRY_SECONDS", 0.05)

    with pytest.raises(NotTried, match=r"0\.05 s allowed"):
        try_metric(load_bundled().get("length"), captions=(CAPTION,), references=())


def test_few_are_scored_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "_WAIT_SECONDS", 0.05)
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(trying, "_turns", taken)

    with pytest.raises(NotTried, match="other captions are being scored at the moment"):
        try_metric(load_bundled().get("length"), captions=(CAPTION,), references=())


def test_a_turn_is_given_back_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "_turns", threading.BoundedSemaphore(1))
    monkeypatch.setattr(trying, "TRY_SECONDS", 0.05)
    for _ in range(2):
        with pytest.raises(NotTried, match="allowed"):
            try_metric(load_bundled().get("length"), captions=(CAPTION,), references=())
