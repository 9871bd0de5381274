"""Tests of functions as metrics, which satisfy the whole contract."""

import math
import pickle
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from metrics_plugins.adapters import adapt_function
from metrics_plugins.api import Batch, Input, Level, Metric, MetricError
from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.checks import CheckCase, parametrize_with_checks
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin


def rate_overlap(candidate: str, references: Sequence[str], *, min_letters: int = 1, power: float = 0.0) -> float:
    """The share of words that stand in a reference."""
    words = [word for word in candidate.split() if len(word) >= min_letters]
    known = {word for reference in references for word in reference.split()}
    return (sum(word in known for word in words) / max(len(words), 1)) ** (1 + power)


def count_vowels(candidate: str, references: Sequence[str]) -> float:
    return sum(letter in "aeiou" for letter in candidate) if candidate else math.nan


class Repeats:
    """A callable object: how often its word stands in the candidate."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, candidate: str, references: Sequence[str], *, times: int = 1) -> float:
        return times * candidate.split().count(self.word)


def adapt(function: object, metric_id: str, *, bounds: tuple[float, float] = (0.0, math.inf), **more: object) -> type:
    return adapt_function(
        function,
        id=metric_id,
        title="A title",
        bounds=bounds,
        higher_is_better=True,
        citation="This test",
        version="3",
        **more,
    )


Overlap = adapt(rate_overlap, "overlap", bounds=(0.0, 1.0))
Vowels = adapt(count_vowels, "vowels", reads_references=False)
REGISTRY = load_registry([ExamplePlugin(Overlap, Vowels)], INSTALLED_PLUGINS)
BATCH = Batch.make(
    ["x", "y", "z"], candidates=["a dog runs", "", "a cat"], references=[["the dog", "it runs"], ["a"], []]
)


def score(metric: Metric) -> list[float]:
    return run_metric(metric, BATCH, rng=np.random.default_rng(0)).scores.values.tolist()


@parametrize_with_checks(["overlap", "vowels"], registry=REGISTRY)
def test_contract(check: CheckCase) -> None:
    check()


def test_declaration() -> None:
    info = Overlap.info

    assert (info.id, info.title, info.level, info.bounds) == ("overlap", "A title", Level.SEGMENT, (0.0, 1.0))
    assert (info.inputs, info.version) == (frozenset({Input.CANDIDATE, Input.REFERENCES}), "3")
    assert Vowels.info.inputs == frozenset({Input.CANDIDATE})
    assert (Overlap.__name__, Overlap.__module__, Overlap.__doc__) == ("Overlap", __name__, rate_overlap.__doc__)


def test_scores_and_row_without_references() -> None:
    assert score(REGISTRY.build("overlap")) == pytest.approx([2 / 3, 0.0, math.nan], nan_ok=True)
    assert score(REGISTRY.build("vowels")) == pytest.approx([3.0, math.nan, 2.0], nan_ok=True)


def test_keyword_only_arguments_are_parameters() -> None:
    metric = REGISTRY.build("overlap", min_letters=3)

    assert str(metric.signature) == "overlap|min_letters:3|power:0|v:3"
    assert score(metric)[0] == 1.0
    with pytest.raises(MetricError, match=r"takes no parameter 'n' \(it takes: min_letters, power\)"):
        REGISTRY.build("overlap", n=1)


def test_pickle_keeps_parameters_and_class() -> None:
    metric = REGISTRY.build("overlap", power=1.0)

    arrived = pickle.loads(pickle.dumps(metric))  # noqa: S301

    assert type(arrived) is type(metric)
    assert arrived.signature == metric.signature
    assert score(arrived)[0] == pytest.approx(4 / 9)


@pytest.mark.parametrize("function", [Repeats("dog"), partial(rate_overlap, min_letters=3)], ids=["object", "partial"])
def test_other_callables(function: object) -> None:
    adapted = adapt(function, "other")
    metric = load_registry([ExamplePlugin(adapted)], INSTALLED_PLUGINS).build("other")

    assert score(metric)[0] == 1.0


def _take_one(candidate: str) -> float:
    return 0.0


def _take_untyped(candidate: str, references: Sequence[str], *, n=4) -> float:
    return 0.0


def _take_required(candidate: str, references: Sequence[str], *, n: int) -> float:
    return 0.0


def _take_positional(candidate: str, references: Sequence[str], power: int = 1) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            _take_positional,
            r"'power' after \(candidate, references\) .*write `\*,` before power to make it a parameter\n"
            r"  at test_functions\.py, line \d+: def _take_positional\(",
        ),
        (_take_one, r"_take_one must take \(candidate, references\): too many positional arguments"),
        (_take_untyped, r"_take_untyped must give its keyword-only argument 'n' a type and a default"),
        (_take_required, r"_take_required must take \(candidate, references\): missing a required argument: 'n'"),
    ],
)
def test_refused_functions(function: object, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        adapt(function, "refused")


def test_wrong_declaration() -> None:
    with pytest.raises(ValueError, match="metric id must be lower-case words joined by hyphens, got 'Not An Id'"):
        adapt(count_vowels, "Not An Id")
