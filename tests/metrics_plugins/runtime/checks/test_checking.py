"""Tests of the two ways to run checks, and of the rows they use."""

import importlib
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest

from metrics_plugins.api import Batch, BuildContext, Input, Metric, MetricInfo, Scores
from metrics_plugins.api.errors import CheckFailed, UnknownMetric
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks import CHECKS, check_metric, parametrize_with_checks
from tests.metrics_plugins.api.examples import (
    Critic,
    ExamplePlugin,
    Rarity,
    Recall,
    Variety,
    Vocabulary,
    Words,
    make_info,
)
from tests.metrics_plugins.runtime.checks.broken import HidesKeys, OnlyMissing

REGISTRY = load_registry([ExamplePlugin(Words, Recall)])


@parametrize_with_checks([Words, "recall", Variety, Vocabulary, Rarity, Critic], registry=REGISTRY)
def test_decorated_test_gets_every_check(check) -> None:
    check()


def test_checks_have_ids_of_metric_and_check() -> None:
    mark = parametrize_with_checks([Words], registry=REGISTRY).mark

    assert mark.args[0] == "check"
    assert [case.id for case in mark.args[1]][:2] == ["words-declared-inputs", "words-declared-level"]


@pytest.mark.parametrize(
    ("metric_class", "left_out"),
    [
        (Words, {"no-references", "fit-repeatable", "fitted-info", "fitted-on", "statistics"}),
        (Recall, {"fit-repeatable", "fitted-info", "fitted-on"}),
        (Vocabulary, {"split-invariance", "no-references", "fit-repeatable", "fitted-info", "fitted-on", "statistics"}),
        (Rarity, {"no-references"}),
    ],
)
def test_only_checks_that_speak_of_the_metric_run(metric_class: type, left_out: set) -> None:
    names = [result.check for result in check_metric(metric_class, registry=REGISTRY)]

    assert names == [check.name for check in CHECKS if check.name not in left_out]


def test_random_metric_is_spared_the_checks_of_equality() -> None:
    class Noise(Words):
        info: ClassVar[MetricInfo] = make_info("noise", deterministic=False)

    names = {result.check for result in check_metric(Noise, registry=REGISTRY)}

    assert names.isdisjoint({"order-invariance", "split-invariance", "determinism"})


def test_results_say_metric_check_and_clause() -> None:
    result = check_metric(OnlyMissing, registry=REGISTRY)[3]

    assert (result.metric, result.check, result.passed) == ("words", "within-bounds", False)
    assert result.clause == "returns float64 within its bounds, or NaN, but not only NaN"
    assert str(result) == (
        "FAILED  within-bounds: expected a score for at least one row of ordinary captions; got only NaN"
    )


def test_passing_result_prints_its_clause() -> None:
    assert (
        str(check_metric("words", registry=REGISTRY)[2]) == "ok      keys-kept: returns the keys of its batch, in order"
    )


def test_failing_case_names_metric_check_and_clause() -> None:
    cases = parametrize_with_checks([HidesKeys], registry=REGISTRY).mark.args[1]
    case = next(case.values[0] for case in cases if case.id == "critic-fitted-on")

    with pytest.raises(CheckFailed) as raised:
        case()

    assert str(raised.value) == (
        "metric 'critic' fails fitted-on (tells the keys of the rows whose judgments it learned from): "
        "expected fitted_on to hold the 5 keys of the rows whose judgments it learned from; "
        "got 0 keys, of which 0 are right"
    )


def test_unknown_id_is_refused() -> None:
    with pytest.raises(UnknownMetric, match="'wrods'; did you mean words"):
        check_metric("wrods", registry=REGISTRY)


class Brightness(Metric):
    """The mean brightness of an image, beside a candidate."""

    info: ClassVar[MetricInfo] = make_info("brightness", inputs=frozenset({Input.CANDIDATE, Input.IMAGE}))

    def score(self, batch: Batch) -> Scores:
        from PIL import Image

        means = []
        for path in batch.images:
            with Image.open(path) as image:
                means.append(np.asarray(image).mean())
        return Scores.make(batch.keys, means)


class Shapes(Metric):
    """The number of shapes in a world, beside a candidate."""

    info: ClassVar[MetricInfo] = make_info("shapes", inputs=frozenset({Input.CANDIDATE, Input.WORLD}))

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [world["shapes"] for world in batch.worlds])


def test_metric_of_images_is_checked_on_images_made_for_it() -> None:
    assert [str(result) for result in check_metric(Brightness, registry=REGISTRY) if not result.passed] == []


def test_metric_of_worlds_is_checked_on_rows_of_ones_own() -> None:
    batch = Batch.make(
        ["a", "b", "c", "d"], candidates=["one", "two", "three", "four"], worlds=[{"shapes": n} for n in range(4)]
    )

    assert [str(result) for result in check_metric(Shapes, registry=REGISTRY, batch=batch) if not result.passed] == []


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="`batch` must have at least four rows, got 1"):
        check_metric(Shapes, registry=REGISTRY, batch=Batch.make(["a"], candidates=["one"]))


def test_images_are_removed_after_the_check(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    check_metric(Brightness, registry=REGISTRY)

    assert list(tmp_path.iterdir()) == []


def test_module_that_checks_itself_while_imported_comes_to_an_end(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "checks_itself.py").write_text(
        "from metrics_plugins.runtime.checks import check_metric\n"
        "from tests.metrics_plugins.api.examples import Words\n"
        "class OwnWords(Words):\n"
        "    pass\n"
        "results = {result.check: result for result in check_metric(OwnWords)}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    module = importlib.import_module("checks_itself")

    assert module.results["light-import"].passed

    monkeypatch.setenv("ACCORDANCE_TRYING_IMPORT", "1")
    results = {result.check: result for result in check_metric(module.OwnWords, registry=REGISTRY)}

    assert results["light-import"].message == (
        "expected checks not to run while the plugin's own module is imported; got a check inside an import"
    )


def test_parameter_whose_default_is_zero_is_varied() -> None:
    class Raised(Words):
        """Words and something more."""

        info = make_info("raised")

        def __init__(self, *, more: float) -> None:
            self.more = more

        @classmethod
        def build(cls, context: BuildContext, *, more: float = 0.0) -> Self:
            return cls(more=more)

        def describe(self) -> dict[str, float]:
            return {"more": self.more}

    results = {result.check: result for result in check_metric(Raised, registry=REGISTRY)}

    assert results["signature"].passed
