"""Tests that correct metrics pass every check, and that for each check there is a metric that fails it."""

import pytest

from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks import CHECKS, check_metric
from tests.metrics_plugins.api.examples import EXAMPLES
from tests.metrics_plugins.runtime.checks import broken
from tests.metrics_plugins.runtime.checks.heavy_plugin import HeavyWords

REGISTRY = load_registry()

BREAKAGES = {
    broken.ReadsUndeclared: (
        "batch-unchanged declared-inputs declared-level determinism empty-captions keys-kept "
        "non-ascii-captions one-word-captions order-invariance pickling split-invariance within-bounds",
        "metric 'words' reads references, which its info.inputs does not declare",
    ),
    broken.PeeksAtTexts: (
        "declared-inputs empty-captions non-ascii-captions one-word-captions split-invariance",
        "expected the same scores when only columns change that are not declared (declared: candidate); got ",
    ),
    broken.PeeksWhileFitting: ("declared-inputs", "expected the same scores when only columns change"),
    broken.SegmentWithoutCandidate: (
        "declared-level",
        "expected a segment-level metric to declare candidate; got level segment with inputs references",
    ),
    broken.SetWithCandidate: (
        "declared-level",
        "expected a set-level metric to declare caption_set, and not candidate; got level set with inputs candidate",
    ),
    broken.OwnKeys: (
        "empty-captions keys-kept non-ascii-captions one-word-captions order-invariance split-invariance",
        "metric 'words' must return the keys of its batch in order, got 'image-1' for row 0, whose key is 'clé 5'",
    ),
    broken.OutOfBounds: (
        "empty-captions non-ascii-captions one-word-captions within-bounds",
        "metric 'out-of-bounds' declares bounds [0.0, 0.5], but gave 2.0 for key",
    ),
    broken.DividesByWords: ("finite", "expected a finite score, or NaN where there is none; got inf for key "),
    broken.OnlyMissing: (
        "within-bounds",
        "expected a score for at least one row of ordinary captions; got",
    ),
    broken.RanksRows: (
        "empty-captions non-ascii-captions one-word-captions order-invariance split-invariance",
        "expected the same scores for rows in another order; got ",
    ),
    broken.ComparesRows: (
        "empty-captions non-ascii-captions one-word-captions split-invariance",
        "expected the same scores when the batch is scored in 2 parts; got ",
    ),
    broken.CountsCalls: (
        "determinism empty-captions non-ascii-captions one-word-captions order-invariance pickling split-invariance",
        "expected the same scores of one batch scored twice; got ",
    ),
    broken.SpoilsBatch: (
        "batch-unchanged determinism",
        "expected score to leave its batch unchanged; got changed columns",
    ),
    broken.SpoilsTargets: (
        "batch-unchanged",
        "expected fit to leave its batch and targets unchanged; got changed columns",
    ),
    broken.NeedsWords: ("empty-captions", "expected no exception; got ZeroDivisionError: division by zero"),
    broken.NeedsTwoWords: (
        "empty-captions non-ascii-captions one-word-captions",
        "expected no exception; got IndexError: list index out of range",
    ),
    broken.NeedsAscii: ("non-ascii-captions", "expected no exception; got UnicodeEncodeError: "),
    broken.CountsLines: (
        "non-ascii-captions",
        "expected the same scores when the batch is scored in ",
    ),
    broken.NeedsReferences: ("no-references", "expected no exception; got IndexError: tuple index out of range"),
    broken.PositionalParameter: (
        "parameters signature",
        "expected every parameter of build to be keyword-only, typed and with a default; got `scale: float = 1.0`",
    ),
    broken.HiddenParameter: (
        "signature",
        "expected parameter 'power' (1) in the signature; got `recall|v:1`",
    ),
    broken.FrozenParameter: (
        "signature",
        "expected another signature with power=2.0; got `recall|power:1|v:1`",
    ),
    broken.OpensText: ("declared-files", "expected parameter 'words' to be declared as FilePath or the like; got str"),
    broken.HoldsLambda: ("pickling", "expected no exception; got "),
    HeavyWords: (
        "light-import",
        "torch, spacy, nltk, pandas, transformers; got an import of nltk",
    ),
    broken.LearnsNothing: (
        "declared-fitting pickling",
        "expected a Fittable to declare what it fits on, and a Metric to declare nothing; "
        "got a Fittable with fits_on nothing",
    ),
    broken.FitsItself: ("fit-repeatable", "expected a fitted metric to keep its scores when its Fittable is fitted"),
    broken.OtherInfo: (
        "fitted-info pickling",
        "expected the fitted metric to have the same info; got",
    ),
    broken.HidesKeys: (
        "fitted-on",
        "expected fitted_on to hold the 5 keys of the rows whose judgments it learned from; got 0 keys",
    ),
    broken.OtherScore: ("statistics", "expected score to be reduce of each row's statistics; got "),
}


@pytest.mark.parametrize("metric_class", EXAMPLES, ids=lambda metric_class: metric_class.info.id)
def test_right_metric_passes_every_check(metric_class: type) -> None:
    results = check_metric(metric_class, registry=REGISTRY)

    assert [str(result) for result in results if not result.passed] == []


@pytest.mark.parametrize("metric_class", BREAKAGES, ids=lambda metric_class: metric_class.__name__)
def test_broken_metric_fails_its_check(metric_class: type) -> None:
    failing, message = BREAKAGES[metric_class]

    results = check_metric(metric_class, registry=REGISTRY)

    messages = {result.check: result.message for result in results if not result.passed}
    assert sorted(messages) == failing.split()
    assert any(message in text for text in messages.values()), messages


def test_every_check_can_fail() -> None:
    assert {name for failing, _ in BREAKAGES.values() for name in failing.split()} == {check.name for check in CHECKS}


def test_corpus_metric_that_gives_a_score_a_row_fails() -> None:
    results = {result.check: result for result in check_metric(broken.ManyForCorpus, registry=REGISTRY)}

    assert results["declared-level"].message == "corpus-level metric 'many' must return one score, got 5"
    assert "split-invariance" not in results
