from math import isnan, nan

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.robustness import (
    STRENGTHS,
    RobustnessCurve,
    divide_strengths,
    find_vocabulary,
    measure_robustness,
)
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.sessions import TrustedBackend
from metrics_plugins.text.distortions import Distortion
from tests.metrics_plugins.probes.captions import REFERENCES, Brevity, Dogs, Failing, Shared, Words

# Ten images whose captions share no word but "a": what is swapped or random is wrong.
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
IMAGES = {word: (f"a {word} {word}s here", f"a {word} {word}s here too", f"{word} {word}s") for word in WORDS}


class Learned(Words):
    fitted_on = frozenset({"zero"})


def measure(metrics, references=IMAGES, seed=0, **options):
    return measure_robustness(metrics, references, rng=np.random.default_rng(seed), **options)


def make_curve(scores, strengths=(0.0, 0.5, 1.0)):
    return RobustnessCurve(
        "m", "m|v:1", True, Distortion.RANDOM_WORDS, strengths, tuple(scores), tuple(0 for _ in scores)
    )


def test_area_is_that_of_trapezoids_under_the_normalised_curve():
    # (1 + .5)/2 * .5 + (.5 + .25)/2 * .5
    assert make_curve([2.0, 1.0, 0.5]).auc == pytest.approx(0.375 + 0.1875)
    assert make_curve([2.0, 1.0, 0.5]).normalised == (1.0, 0.5, 0.25)
    assert make_curve([4.0, 1.0, 0.0], strengths=(0.0, 0.2, 1.0)).auc == pytest.approx(0.2 * 0.625 + 0.8 * 0.125)


@pytest.mark.parametrize("scores", [(0.0, 0.0, 0.0), (-1.0, 0.0, 1.0), (nan, 1.0, 1.0)])
def test_a_curve_without_a_score_to_start_from_is_undefined(scores):
    assert all(isnan(value) for value in make_curve(scores).normalised)
    assert isnan(make_curve(scores).auc)


def test_random_captions_by_hand():
    # Only "a" is shared with another image's captions, so a replaced caption falls from 1 to the share of its "a" and
    # of "here" and "too", whose words are in every image's references.
    report = measure([Shared()], distortions=[Distortion.RANDOM_CAPTION])

    (curve,) = report.curves
    assert curve.scores[0] == 1.0
    assert (report.n_images, report.n_dropped, report.position, report.summary) == (10, 0, 0, "mean")
    assert all(left > right for left, right in zip(curve.scores[:-1], curve.scores[1:], strict=True))
    assert curve.strengths == STRENGTHS


def test_a_metric_that_sees_no_difference_has_area_1():
    report = measure([Words()], distortions=[Distortion.WORD_PERMUTATION, Distortion.RANDOM_WORDS])

    assert [curve.auc for curve in report.curves] == pytest.approx([1.0, 1.0])


def test_only_ngrams_depend_on_word_order():
    registry = load_registry()

    unigrams, bigrams = measure(
        [registry.build("bleu-1"), registry.build("bleu-2")], distortions=[Distortion.WORD_PERMUTATION]
    ).curves

    assert unigrams.auc == pytest.approx(1.0)
    assert bigrams.auc < 0.95


def test_curves_come_metric_by_metric_in_the_order_asked_for():
    report = measure([Words(), Brevity()], distortions=[Distortion.RANDOM_WORDS, Distortion.RANDOM_CAPTION])

    assert [(curve.metric, curve.distortion.value, curve.higher_is_better) for curve in report.curves] == [
        ("words", "rw", True),
        ("words", "rc", True),
        ("brevity", "rw", False),
        ("brevity", "rc", False),
    ]


def test_one_seed_gives_the_same_report_and_another_seed_another():
    assert measure([Shared()]) == measure([Shared()])
    assert measure([Shared()]) != measure([Shared()], seed=1)


def test_leaving_a_distortion_out_changes_no_other():
    every = {curve.distortion: curve for curve in measure([Shared()]).curves}

    for kind in Distortion:
        assert measure([Shared()], distortions=[kind]).curves == (every[kind],)


def test_undefined_scores_are_left_out_and_counted():
    references = {"a": ("...", "x"), "b": ("a dog", "y"), "c": ("the dog", "z")}

    (curve,) = measure([Dogs()], references, distortions=[Distortion.WORD_PERMUTATION], strengths=(0, 1)).curves

    assert (curve.scores, curve.n_missing) == ((1.0, 1.0), (1, 1))


def test_system_scores_come_from_totals():
    metric = load_registry().build("bleu-2")

    mean, system = (
        measure([metric], distortions=[Distortion.RANDOM_WORDS], summary=summary).curves[0]
        for summary in ("mean", "system")
    )

    assert mean.scores != system.scores
    assert mean.scores[0] == pytest.approx(system.scores[0])


def test_vocabulary_can_be_given_and_is_else_the_most_frequent_words():
    (curve,) = measure(
        [Dogs()], REFERENCES, distortions=[Distortion.RANDOM_WORDS], strengths=(0, 1), vocabulary=("dog", "hound")
    ).curves

    # "a dog runs" and "a cat sleeps": every word becomes dog or hound.
    assert curve.scores[0] == 0.5
    assert find_vocabulary(["b a", "b c", "a b"], size=2) == ("b", "a")
    assert find_vocabulary(["b a"]) == ("a", "b")


def test_progress_and_steps():
    seen = []

    def track(steps, *, total, label):
        for step in steps:
            seen.append((label, total))
            yield step

    measure([Words()], strengths=divide_strengths(4), distortions=[Distortion.RANDOM_WORDS], track=track)

    assert divide_strengths(4) == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert seen == [("robustness", 5)] * 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strengths": (0, 0.5)}, "must rise from 0 to 1, got 0, 0.5"),
        ({"strengths": (0.1, 1)}, "must rise from 0 to 1"),
        ({"strengths": (0, 0.5, 0.5, 1)}, "must rise from 0 to 1"),
        ({"strengths": ()}, "must rise from 0 to 1, got none"),
        ({"summary": "median"}, "one of mean, system, got 'median'"),
        ({"position": 7}, "at least 8 references"),
    ],
)
def test_what_cannot_be_measured_is_said(options, message):
    with pytest.raises(ProbeError, match=message):
        measure([Words()], **options)


@pytest.mark.parametrize("kind", ["inline", "processes"])
def test_results_do_not_depend_on_the_executor(kind):
    registry = load_registry()
    metrics = [registry.build(name) for name in ("cider-d", "bleu-4", "length")]

    report = measure(metrics, backend=TrustedBackend(registry=registry, kind=kind, workers=2), summary="system")

    assert repr(report) == repr(measure(metrics, summary="system"))
    assert [(curve.metric, curve.distortion) for curve in report.curves] == [
        (name, distortion) for name in ("cider-d", "bleu-4", "length") for distortion in Distortion
    ]


def test_a_metric_that_fails_is_named():
    with pytest.raises(MetricError, match="metric 'failing' fails: ZeroDivisionError: no words"):
        measure([Words(), Failing()])


def test_a_metric_that_learned_from_judgments_of_these_images_is_refused():
    with pytest.raises(FittedOnEvaluation, match="metric 'words' was fitted on 1 of these 10 rows"):
        measure([Learned()])
