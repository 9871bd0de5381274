import numpy as np
import pytest

from metrics_plugins.api import FitsOn, Input, Level
from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import build_rows
from studies.scoring.metrics import (
    choose_metrics,
    explain_unfit,
    find_versions,
    list_metrics,
    list_unfitted,
)
from studies.scoring.references import ReferenceSelection
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import EXAMPLES, ExamplePlugin, make_info
from tests.studies.scoring.rows import make_rows

CAPTION, BOTH = frozenset({Input.CANDIDATE}), frozenset({Input.CANDIDATE, Input.REFERENCES})


@pytest.fixture(scope="module")
def registry():
    return load_registry([ExamplePlugin(*EXAMPLES)], blocked=INSTALLED_PLUGINS)


@pytest.mark.parametrize(
    ("level", "available", "expected"),
    [
        (Level.SEGMENT, BOTH, {"words", "recall", "rarity"}),
        (Level.SEGMENT, CAPTION, {"words", "rarity"}),
        (Level.SET, frozenset({Input.CAPTION_SET}), {"variety"}),
    ],
)
def test_default_metrics_fit_the_rows(registry, level, available, expected):
    examples = {metric_class.info.id for metric_class in EXAMPLES}

    assert examples & set(list_metrics(registry, level=level, available=available)) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({"level": Level.CORPUS}, "computes one score per corpus, but segments are scored here"),
        (
            {"inputs": frozenset({Input.CANDIDATE, Input.IMAGE})},
            "needs image, which the dataset does not have for every row",
        ),
        ({"fits_on": FitsOn.CAPTIONS}, "is fitted on a corpus of captions, but none was given: --corpus FILE"),
        (
            {"fits_on": FitsOn.JUDGMENTS},
            "is fitted on judgments: select it by name to cross-fit it on the judgments of the study, over images",
        ),
    ],
)
def test_explain_unfit(changes, expected):
    assert explain_unfit(make_info(**changes), Level.SEGMENT, BOTH) == expected


def test_metrics_fit_if_their_training_data_are_available():
    captions, judgments = (make_info(fits_on=kind) for kind in (FitsOn.CAPTIONS, FitsOn.JUDGMENTS))

    assert explain_unfit(captions, Level.SEGMENT, BOTH, has_corpus=True) == ""
    assert explain_unfit(judgments, Level.SEGMENT, BOTH, has_judgments=True) == ""
    assert explain_unfit(judgments, Level.SEGMENT, BOTH, is_fitted=True) == ""


def test_metrics_asked_for_are_sorted_by_level(registry):
    chosen = choose_metrics(registry, ["words", "variety", "words"], levels=[Level.SEGMENT, Level.SET])

    assert chosen == {Level.SEGMENT: ["words"], Level.SET: ["variety"]}


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("wrods", UnknownMetric, "no installed plugin has a metric 'wrods'; did you mean words"),
        ("variety", ScoringFailed, "metric variety: computes one score per set, got a study of segments"),
    ],
)
def test_metrics_that_cannot_be_asked_for(registry, name, error, message):
    with pytest.raises(error, match=message):
        choose_metrics(registry, [name], levels=[Level.SEGMENT])


@pytest.mark.django_db
def test_a_fitted_metric_learns_from_the_documents(registry):
    rows = build_rows(make_rows().dataset, level=Level.SEGMENT, selection=ReferenceSelection("all"))
    prepared = PreparedMetric(registry.build("rarity"), Learning(lambda: rows.make_batch(rows.fit_rows)))

    # `a` stands in two references of the document `dog` and in two of `cat`, which are counted once each.
    assert prepared.ready.counts["a"] == 4
    assert prepared.ready is prepared.ready
    assert prepared.signature == "rarity|v:1"


def test_versions_of_what_a_score_depends_on():
    registry = load_registry()

    versions = find_versions(registry.get("bleu-1").distribution)

    assert versions["numpy"] == np.__version__
    assert "" not in versions.values()
    assert "accordance" in versions


def test_metrics_that_learn_for_long_are_not_scored_unasked():
    registry = load_registry()
    available = BOTH | {Input.IMAGE_KEY}

    assert "critic-lstm" not in list_metrics(registry, level=Level.SEGMENT, available=available, has_corpus=True)
    assert dict(list_unfitted(registry, level=Level.SEGMENT, available=available))["critic-lstm"] == (
        "takes long to fit: fit it first, then pass the result: --param critic-lstm.weights=FOLDER"
    )
